import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ServiceImpl } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { until } from '../../../services/common/test/support/until.ts';
import { streamQuery, WHOLE_FORMATS } from '../../src/clients/stream-query.ts';
import { createHarness, type Harness } from '../../../services/common/test/rpc/harness.ts';

const REQUEST = { sql: 'SELECT 1', maxRows: 0, timeoutMs: 5_000, format: WHOLE_FORMATS.ndjson };
const header = { header: { columns: ['a'], columnTypes: ['BIGINT'] } };
const batch = (text: string) => ({ rows: { json: Buffer.from(text), rowCount: 1 } });
const trailer = { trailer: { rowCount: 1, readUnits: 0.5, requestCounted: true } };
const short = (text: string) => ({ ...header, ...batch(text), ...trailer });

type Execute = ServiceImpl<typeof QueryService>['execute'];

describe('streamQuery', () => {
  let harness: Harness;
  let token: string;
  let takenBack: string[];
  beforeEach(async () => {
    harness = await createHarness();
    token = await harness.signer.sign();
    takenBack = [];
  });
  afterEach(() => harness.close());

  const serve = (execute: NonNullable<Execute>) =>
    harness.serve((router) => router.service(QueryService, { execute }), { drainTimeoutMs: 0 });

  /** The kinds of parts that came and the rows, into `came` as they come. */
  async function take(servers: Parameters<Harness['connect']>[1], came: string[] = []): Promise<string[]> {
    const call = {
      ...{ token, requestId: 'r', usageId: 'first', count: null, tenantId: 'tenant-1' },
      signal: new AbortController().signal,
      usage: { takeBackRows: async (_: string, usageId: string) => void takenBack.push(usageId) },
    };
    for await (const part of streamQuery(harness.connect(QueryService, servers), REQUEST, call))
      came.push(part.kind === 'rows' ? Buffer.from(part.bytes).toString() : part.kind);
    return came;
  }

  it('takes a short result in one message, and hands it out once the call has ended', async () => {
    let isRecorded = false;
    const server = await serve(async function* ({ joinsParts, waitsForStatus }) {
      if (joinsParts && waitsForStatus) yield short('[1]');
      // Sleeps: longer than a caller would take that did not wait.
      await sleep(200);
      isRecorded = true;
    });
    expect(await take([server])).to.deep.equal(['header', '[1]', 'end']);
    expect(isRecorded).to.equal(true);
  });

  it('hands out a long one as it comes', async () => {
    const came: string[] = [];
    const server = await serve(async function* () {
      yield header;
      yield batch('[1]');
      await until(() => came.length === 2);
      yield batch('[2]');
      yield trailer;
    });
    expect(await take([server], came)).to.deep.equal(['header', '[1]', '[2]', 'end']);
  });

  it('hands out nothing of a short one that could not be recorded', async () => {
    const server = await serve(async function* () {
      yield short('[1]');
      throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
    });
    const came: string[] = [];
    const failure: unknown = await take([server], came).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'UNAVAILABLE', message: 'Usage cannot be recorded; try again' });
    expect([came, takenBack]).to.deep.equal([[], []]);
  });

  it('runs a statement again whose engine died with the rows sent and nothing recorded', async () => {
    const starts: number[] = [];
    const servers = await Promise.all(
      [0, 1].map((index) =>
        serve(async function* (_, { signal }) {
          starts.push(index);
          yield short(`[${starts.length}]`);
          // Sleeps: an engine at work, until it is killed.
          if (starts.length === 1) await sleep(5_000, undefined, { signal });
        }),
      ),
    );
    const taking = take(servers);
    await until(() => starts.length > 0);
    await sleep(50);
    // Closing with no time to drain destroys the connections, as the death of the process does.
    await servers[starts[0]!]!.close();
    expect(await taking).to.deep.equal(['header', '[2]', 'end']);
    expect(takenBack).to.deep.equal(['first']);
  });
});
