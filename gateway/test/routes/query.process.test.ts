import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES, type ErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  LateAttributes,
  RowFormat,
  type ExecuteRequest,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { principalOf, requestIdOf, usageIdOf } from '@penstock/common/rpc/call-context.ts';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { until, untilSome } from '../../../services/common/test/support/until.ts';
import { CLIENT } from '../../../services/common/test/token/signer.ts';
import { MEMBER, startGateway, type Answer, type SendOptions, type TestGateway } from '../support/gateway.ts';

const HEADER = { header: { columns: ['id', 'n'], columnTypes: ['VARCHAR', 'DECIMAL'] } };
const rows = (json: string, rowCount: number) => ({ rows: { json: Buffer.from(json), rowCount } });
const trailer = (value: { resumeIdx?: bigint; warnings?: string[]; planTimeMs?: number } = {}) => ({
  trailer: { rowCount: 1, readUnits: 1.5, planTimeMs: 2.4, ...value },
});

describe('POST /v1/query', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.close());

  const query = (json: unknown, options: SendOptions = {}): Promise<Answer> =>
    gateway.send('POST', '/v1/query', { json, as: CLIENT, ...options });

  /** The engine answers one row; what it was asked is kept. */
  function answering(): { request: ExecuteRequest | null } {
    const seen: { request: ExecuteRequest | null } = { request: null };
    gateway.fakes.queries = {
      async *execute(request) {
        seen.request = request;
        yield HEADER;
        yield rows('["a",1]', 1);
        yield trailer();
      },
      plan: () => ({
        plan: 'Scan',
        weight: 3,
        estimatedReadUnits: { low: 6, high: 592 },
        normalizedSql: 'SELECT 1',
        planTimeMs: 1.6,
        warnings: ['scans'],
      }),
    };
    return seen;
  }
  const failing = (error: PenstockError): void => {
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        throw error;
      },
      plan() {
        throw error;
      },
    };
  };

  it('answers rows byte for byte, in the order of the contract', async () => {
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        yield rows('["a",12345678901234567890.5]', 1);
        yield rows('', 0);
        yield rows('["é", 1.10],["c",null]', 2);
        yield trailer({ resumeIdx: 203n, warnings: ['a scan'], planTimeMs: 3.6 });
      },
    };
    const { status, text, body } = await query({ sql: 'SELECT 1', options: { resumeIdx: 200 } });
    expect(status).to.equal(200);
    expect(text).to.contain(
      '"data":[["a",12345678901234567890.5],["é", 1.10],["c",null]],"columns":["id","n"]',
    );
    expect(Object.keys(body)).to.deep.equal(['success', 'data']);
    expect(Object.keys(body.data)).to.deep.equal([
      'data',
      'columns',
      'columnTypes',
      'firstRowIdx',
      'resumeIdx',
      'planTime',
      'execTime',
      'readUnits',
      'warnings',
    ]);
    expect(body.data).to.include({ firstRowIdx: 200, resumeIdx: 203, planTime: 4, readUnits: 1.5 });
    expect(body.data['execTime']).to.be.at.least(4);
  });

  it('leaves resumeIdx and warnings out where there are none, and answers an empty page', async () => {
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        yield trailer();
      },
    };
    const { body } = await query({ sql: 'SELECT 1' });
    expect(body.data['data']).to.deep.equal([]);
    expect(body.data).to.not.have.any.keys('resumeIdx', 'warnings');
  });

  it('never says less for execTime than for planTime', async () => {
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        yield trailer({ planTimeMs: 60_000 });
      },
    };
    const { body } = await query({ sql: 'SELECT 1' });
    expect(body.data).to.include({ planTime: 60_000, execTime: 60_000 });
  });

  it('hands defaults to the engine, and who asks', async () => {
    const seen: unknown[] = [];
    gateway.fakes.queries = {
      async *execute(request, context) {
        seen.push(request, principalOf(context).tenantId, requestIdOf(context), usageIdOf(context));
        yield HEADER;
        yield trailer();
      },
    };
    await query({ sql: 'SELECT 1' }, { headers: { 'x-request-id': 'mine' } });
    const [request, ...rest] = seen as [ExecuteRequest, ...unknown[]];
    expect(request).to.deep.include({
      sql: 'SELECT 1',
      maxRows: 100,
      resumeIdx: 0n,
      rowFormat: RowFormat.ARRAY,
      consistentRead: false,
      timeoutMs: 60_000,
      parametersJson: '',
    });
    expect(request.maxReadUnits).to.equal(undefined);
    expect(rest.slice(0, 2)).to.deep.equal(['tenant-1', 'mine']);
    expect(gateway.recorded[0]?.id).to.equal(`${String(rest[2])}:request`);
  });

  it('hands every option to the engine, and parameters with all their digits', async () => {
    const seen = answering();
    const body =
      '{"sql":"SELECT ?","options":{"maxRows":7,"resumeIdx":14,"responseType":"object","maxReadUnits":2.5,' +
      '"timeoutMs":1000,"consistentRead":true,"lateAttributes":"drop","parameters":{"a":12345678901234567890.50,"b":[1]}}}';
    const refused = await gateway.send('POST', '/v1/query', { body });
    expect(refused.body.error).to.contain('options.parameters must be an array or an object');
    await gateway.send('POST', '/v1/query', { body: body.replace('[1]', 'null') });
    expect(seen.request).to.deep.include({
      maxRows: 7,
      resumeIdx: 14n,
      rowFormat: RowFormat.OBJECT,
      maxReadUnits: 2.5,
      lateAttributes: LateAttributes.DROP,
      timeoutMs: 1000,
      consistentRead: true,
      parametersJson: '{"a":12345678901234567890.50,"b":null}',
    });
  });

  it('says again which columns there are once a stream of rows has more', async () => {
    const more = { columns: ['id', 'n', 'rare'], columnTypes: ['VARCHAR', 'DECIMAL', 'VARCHAR'] };
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        yield rows('["a",1]\n', 1);
        yield { header: more };
        yield rows('["b",2,"here"]\n', 1);
        yield trailer();
      },
    };
    const linesOf = async (accept: string): Promise<readonly Record<string, unknown>[]> => {
      const response = await fetch(`${gateway.url}/v1/query`, {
        method: 'POST',
        headers: {
          ...{ accept, 'content-type': 'application/json' },
          authorization: `Bearer ${await gateway.signer.sign(CLIENT)}`,
        },
        body: '{"sql":"SELECT * FROM t"}',
      });
      const text = await response.text();
      return text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // oxfmt-ignore
    };
    const plain = await linesOf('application/x-ndjson');
    expect(plain.slice(0, 2)).to.deep.equal([['a', 1], ['b', 2, 'here']]); // oxfmt-ignore
    expect(plain[2]).to.deep.include({ rows: 1, columns: more.columns });
    const detailed = await linesOf('application/x-ndjson; header=present');
    expect(detailed.slice(0, 4)).to.deep.equal([HEADER.header, ['a', 1], more, ['b', 2, 'here']]);
    expect(detailed[4]).to.not.have.property('columns');
  });

  it('answers a plan', async () => {
    answering();
    const { body } = await query({ sql: 'SELECT 1', mode: 'plan', options: { maxRows: 5 } });
    expect(body).to.deep.equal({
      success: true,
      data: {
        plan: 'Scan',
        weight: 3,
        estimatedReadUnits: { low: 6, high: 592 },
        normalizedSql: 'SELECT 1',
        planTime: 2,
        warnings: ['scans'],
      },
    });
  });

  describe('refuses a body', () => {
    const bad: Record<string, [body: unknown, named: string]> = {
      'that is an array': [[], 'The body must be an object'],
      'without sql': [{}, 'sql is required'],
      'with sql that is no text': [{ sql: 7 }, 'sql must be a string'],
      'with empty sql': [{ sql: '' }, 'sql must not be empty'],
      'with sql above 64 KiB in UTF-8': [{ sql: 'é'.repeat(32_769) }, 'sql must be at most 65536 bytes'],
      'with another mode': [{ sql: 'x', mode: 'explain' }, 'mode must be one of: execute, plan'],
      'with an unknown field': [{ sql: 'x', limit: 7 }, 'Unknown field: limit'],
      'with an unknown option': [{ sql: 'x', options: { maxrows: 7 } }, 'Unknown field: options.maxrows'],
      'with options that are null': [{ sql: 'x', options: null }, 'options must be an object'],
      'with maxRows 0': [{ sql: 'x', options: { maxRows: 0 } }, 'options.maxRows must be at least 1'],
      'with maxRows 10001': [{ sql: 'x', options: { maxRows: 10_001 } }, 'options.maxRows must be at most 10000'],
      'with maxRows 1.5': [{ sql: 'x', options: { maxRows: 1.5 } }, 'options.maxRows must be an integer'],
      'with a negative resumeIdx': [{ sql: 'x', options: { resumeIdx: -1 } }, 'options.resumeIdx must be at least 0'],
      'with another responseType': [{ sql: 'x', options: { responseType: 'csv' } }, 'options.responseType must be one of'],
      'with a short timeoutMs': [{ sql: 'x', options: { timeoutMs: 999 } }, 'options.timeoutMs must be at least 1000'],
      'with a long timeoutMs': [{ sql: 'x', options: { timeoutMs: 300_001 } }, 'options.timeoutMs must be at most'],
      'with negative maxReadUnits': [{ sql: 'x', options: { maxReadUnits: -1 } }, 'options.maxReadUnits must be at least'],
      'with consistentRead as text': [{ sql: 'x', options: { consistentRead: 'yes' } }, 'options.consistentRead must be true or false'],
      'with parameters in parameters': [{ sql: 'x', options: { parameters: [{}] } }, 'options.parameters must be an array'],
    }; // oxfmt-ignore
    for (const [what, [json, named]] of Object.entries(bad)) {
      it(`${what}, naming it, and counts the request`, async () => {
        const { status, body } = await query(json);
        expect(status).to.equal(400);
        expect(body).to.include({ success: false }).and.have.all.keys('success', 'error');
        expect(body.error).to.be.a('string').that.contains(named);
        expect(gateway.recorded).to.have.length(1);
      });
    }

    const unreadable: Record<string, [body: string | Uint8Array, named: string]> = {
      'that is no JSON': ['{"sql": ', 'not valid JSON'],
      'that is empty': ['', 'A JSON body is required'],
      'that is no UTF-8': [new Uint8Array([0x7b, 0xff, 0x7d]), 'not UTF-8'],
      'with half a surrogate pair': ['{"sql":"\\ud800"}', 'surrogate'],
    };
    for (const [what, [body, named]] of Object.entries(unreadable)) {
      it(`${what}, and counts the request`, async () => {
        const answer = await gateway.send('POST', '/v1/query', { body, as: CLIENT });
        expect(answer.status).to.equal(400);
        expect(answer.body.error).to.contain(named);
        expect(gateway.recorded).to.have.length(1);
      });
    }

    it('of another content type', async () => {
      const { status, body } = await query({ sql: 'x' }, { headers: { 'content-type': 'text/plain' } });
      expect(status).to.equal(400);
      expect(body.error).to.contain('content-type').and.to.contain('application/json');
    });

    it('above 256 KiB with 413', async () => {
      const { status, body } = await query({ sql: 'x'.repeat(300_000) });
      expect(status).to.equal(413);
      expect(body.error).to.contain('262144 bytes');
    });
  });

  it("refuses another tenant's ID with 403, whatever else is wrong, and does not count that", async () => {
    for (const json of [
      { sql: 'SELECT 1', tenantId: 'tenant-2' },
      { tenantId: 'tenant-2', typo: 1 },
    ]) {
      const { status, body } = await query(json);
      expect(status).to.equal(403);
      expect(body.error).to.be.a('string');
    }
    expect(gateway.recorded).to.deep.equal([]);
    answering();
    expect((await query({ sql: 'SELECT 1', tenantId: 'tenant-1' })).status).to.equal(200);
  });

  it('answers 401, 403 and 429 in its own envelope, in this order, before it reads the body', async () => {
    const junk = { body: '{' };
    expect(await shown(gateway.send('POST', '/v1/query', { ...junk, as: null }))).to.deep.equal([
      401,
      'Unauthorized',
    ]);
    const noScope = { ...CLIENT, scopes: ['schemas:read'] as const };
    expect(await shown(gateway.send('POST', '/v1/query', { ...junk, as: noScope }))).to.deep.equal([
      403,
      'The token lacks the scope this needs: query',
    ]);
    const limited = { ...CLIENT, tenantId: 'small', rateLimit: { rps: 0.5, burst: 1 } };
    await gateway.send('POST', '/v1/query', { ...junk, as: limited });
    const refused = await gateway.send('POST', '/v1/query', { ...junk, as: limited });
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('2');
    expect(refused.body.error).to.contain('Rate limit exceeded');
    expect(gateway.recorded).to.have.length(1);
  });

  async function shown(sent: Promise<Answer>): Promise<[number, string]> {
    const { status, body } = await sent;
    return [status, body.error];
  }

  it('lets a portal user with the role member query', async () => {
    answering();
    expect((await query({ sql: 'SELECT 1' }, { as: MEMBER })).status).to.equal(200);
  });

  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const { queryHttp } = ERROR_CODES[code];
    if (code === 'CANCELLED' || queryHttp === 404 || queryHttp === 409) continue;
    it(`answers ${code} of the engine with ${queryHttp}, its message and detail`, async () => {
      failing(new PenstockError(code, `said ${code}`, { detail: 'line\n ^', retryAfterS: 2.2 }));
      const { status, body, headers } = await query({ sql: 'SELECT 1' });
      expect(status).to.equal(queryHttp);
      expect(body).to.deep.equal({ success: false, error: `said ${code}`, detailedError: 'line\n ^' });
      expect(headers.get('retry-after')).to.equal(queryHttp === 429 || queryHttp === 503 ? '3' : null);
      expect(gateway.recorded).to.have.length(1);
    });
  }

  it('answers 422 what fails, where the status is to say it, and nothing else', async () => {
    const options = { failWithStatus: true };
    failing(new PenstockError('COLUMN_NOT_FOUND', 'no such column'));
    expect((await query({ sql: 'SELECT 1', options })).status).to.equal(422);
    expect((await query({ sql: 'SELECT 1', options: { failWithStatus: false } })).status).to.equal(200);
    expect((await query({ sql: 'SELECT 1', mode: 'plan', options })).status).to.equal(422);
    failing(new PenstockError('UNAVAILABLE', 'away', { retryAfterS: 2 }));
    expect((await query({ sql: 'SELECT 1', options })).status).to.equal(503);
    expect((await query({ sql: 'SELECT 1', options: { failWithStatus: 'yes' } })).status).to.equal(400);
    answering();
    expect((await query({ sql: 'SELECT 1', options })).status).to.equal(200);
  });

  it('shows nothing of an unexpected error, and logs it under the request ID', async () => {
    gateway.fakes.queries = {
      async *execute() {
        throw new Error('duckdb exploded at /src/x.ts');
      },
    };
    const { status, text, headers } = await query({ sql: 'SELECT 1' });
    expect(status).to.equal(500);
    expect(text).to.equal('{"success":false,"error":"Internal error"}');
    const requestId = headers.get('x-request-id');
    expect(gateway.lines.find(({ level }) => level === 'error')).to.include({
      requestId,
      tenantId: 'tenant-1',
    });
  });

  it('answers an engine that ends without a trailer as an internal error', async () => {
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
      },
    };
    expect((await query({ sql: 'SELECT 1' })).status).to.equal(500);
  });

  it('answers 503 with Retry-After when no engine is there', async () => {
    await gateway.send('GET', '/livez', { as: null });
    await query({ sql: 'x' });
    await gateway.services.close();
    const { status, body, headers } = await query({ sql: 'SELECT 1' });
    expect(status).to.equal(503);
    expect(body.error).to.equal('The query service is not available; try again');
    expect(headers.get('retry-after')).to.equal('1');
  });

  it('tells the engine within 200 ms that the client went away', async () => {
    let abortedAt = 0;
    const started = Promise.withResolvers<void>();
    gateway.fakes.queries = {
      async *execute(_, { signal }) {
        signal.addEventListener('abort', () => (abortedAt = performance.now()));
        yield HEADER;
        started.resolve();
        // Sleeps: an engine at work, until it is told.
        await sleep(5_000, undefined, { signal });
      },
    };
    const client = new AbortController();
    const outcome = query({ sql: 'SELECT 1' }, { signal: client.signal }).then(
      () => 'answered',
      () => 'gone',
    );
    await started.promise;
    const goneAt = performance.now();
    client.abort();
    expect(await outcome).to.equal('gone');
    await until(() => abortedAt > 0, { what: 'the engine is told' });
    expect(abortedAt - goneAt).to.be.within(0, 200);
    const line = await untilSome(() => gateway.lines.find(({ msg }) => msg === 'http'));
    expect(line).to.include({ status: '499' });
    expect(gateway.recorded).to.have.length(1);
  });

  it('counts each admitted request once, under a UUID of its own, at the time it came', async () => {
    answering();
    const before = Date.now();
    await query({ sql: 'SELECT 1' }, { headers: { 'x-request-id': 'same' } });
    await query({ sql: 'SELECT 1', mode: 'plan' }, { headers: { 'x-request-id': 'same' } });
    expect(gateway.recorded).to.have.length(2);
    const [first, second] = gateway.recorded;
    expect(first?.id)
      .to.match(/^[0-9a-f-]{36}:request$/)
      .and.to.not.equal(second?.id);
    expect(first).to.include({ tenantId: 'tenant-1', requests: 1, rowsReturned: 0, readHalfUnits: 0 });
    expect(first?.at).to.be.within(before, Date.now());
  });

  it('answers only when the request has been counted, and 503 when it cannot be', async () => {
    answering();
    let counted = false;
    gateway.record = async () => {
      // Sleeps: longer than an answer would take that did not wait.
      await sleep(100);
      counted = true;
    };
    await query({ sql: 'SELECT 1' });
    expect(counted).to.equal(true);
    gateway.record = async () => {
      throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
    };
    expect((await query({ sql: 'SELECT 1' })).status).to.equal(503);
    expect((await query({ sql: 7 })).status).to.equal(503);
  });

  it('takes rows back that came for a request which cannot be counted', async () => {
    answering();
    const offered: UsageEvent[] = [];
    gateway.record = async (event) => {
      offered.push(event);
      if (event.requests === 0) return;
      await sleep(50);
      throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
    };
    const { status, body } = await query({ sql: 'SELECT 1' });
    expect([status, body.data]).to.deep.equal([503, undefined]);
    const { usageId } = /^(?<usageId>.*):request$/.exec(offered[0]!.id)!.groups!;
    await until(() => offered.length === 2);
    expect(offered[1]).to.include({ id: `${usageId}:lost`, voids: `${usageId}:reads`, rowsReturned: 0 });
  });

  it('asks no engine while usage cannot be recorded', async () => {
    const seen = answering();
    gateway.ensureAble = () => {
      throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again', { retryAfterS: 1 });
    };
    const { status, headers } = await query({ sql: 'SELECT 1' });
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(seen.request).to.equal(null);
    expect(gateway.recorded).to.deep.equal([]);
  });

  it('passes 8 MiB of rows on whole', async () => {
    const batch = `"${'x'.repeat(1024 * 1024 - 3)}"`;
    gateway.fakes.queries = {
      async *execute() {
        yield HEADER;
        for (let i = 0; i < 8; i++) yield rows(`[${batch}]`, 1);
        yield trailer();
      },
    };
    const { body } = await query({ sql: 'SELECT 1', options: { maxRows: 10_000 } });
    expect(body.data['data']).to.have.length(8);
  });
});
