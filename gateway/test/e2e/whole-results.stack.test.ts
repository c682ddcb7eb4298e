/**
 * Whole results over REST: formats, what is said of them, and ends that nobody can mistake.
 *
 * Takes long: tables of some ten megabytes are written, and read at the pace of readers that are slow.
 */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { putItems, type CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { comparable, readParquet } from '../../../services/query-engine/test/engine/parquet-rows.ts';
import { readSlowly } from '../chaos/streams/read-slowly.ts';
import { IS_LONG } from '../../../services/common/test/support/random-budget.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { comesToRest } from './support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from './support/request-log.ts';
import { newShop, seedShop, seedWide } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { streamed, type Streamed } from './support/streamed.ts';
import type { QueryEnvelope, TestTenant } from './support/tenant.ts';

const DIGEST_OF = (body: Buffer): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

const PARQUET = 'application/vnd.apache.parquet';

/** Items of 1,600 attributes; of every other one half of them is missing. */
const BROAD_NAMES = Array.from({ length: 1_599 }, (_, i) => `a${i}`);
const BROAD = Array.from({ length: 20 }, (_, item) => ({
  id: { S: `b${item}` },
  ...Object.fromEntries(
    BROAD_NAMES.map((name, i): [string, AttributeValue] => [
      name,
      i % 3 === 0 ? { N: `${item}.${i + 1}` } : { S: `${item} ${i}` },
    ]).slice(item % 2 === 0 ? 0 : 800),
  ),
}));

describe('whole results over REST', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      // About 20 MB: some twenty pages.
      await seedWide(own, 'long', 100, 200_000);
      await seedWide(own, 'broad', 0, 0);
      await putItems(own, 'broad', BROAD);
    }));
    await seedWide(account, 'grown', 5, 100_000);
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
    await tenant.query("SELECT id FROM shop.grown WHERE id = 'k000001'");
    const more = Array.from({ length: 60 }, (_, i) => ({
      id: { S: `m${i}` },
      filler: { S: 'x'.repeat(100_000) },
    }));
    await putItems(account, 'grown', more);
  });
  after(async () => {
    await setFaults(stack, []);
    account.close();
  });

  const stream = (
    json: unknown,
    accept: string,
    more: Record<string, string> = {},
    onBody?: Parameters<typeof streamed>[3],
  ): Promise<Streamed> => {
    const headers = { authorization: `Bearer ${tenant.token}`, accept, ...more };
    return streamed(`${stack.baseUrl}/v1/query`, json, headers, onBody);
  };
  const CUSTOMERS = { sql: 'SELECT id, name FROM shop.customers ORDER BY name' };

  it('are CSV, with names and types before and what it cost behind', async () => {
    const { status, headers, trailers, body, isWhole } = await stream(CUSTOMERS, 'text/csv', {
      'x-request-id': 'report-1',
    });
    expect([status, isWhole]).to.deep.equal([200, true]);
    const paged = await tenant.query(CUSTOMERS.sql);
    const lines = paged.body.data!.data.map((row) => row.join(','));
    expect(body.toString()).to.equal(['id,name', ...lines, ''].join('\r\n'));
    expect(headers).to.include({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="result-report-1.csv"',
      'x-request-id': 'report-1',
      'x-penstock-columns': '[["id","VARCHAR"],["name","VARCHAR"]]',
    });
    expect(trailers).to.include({
      'x-penstock-rows': String(lines.length),
      'x-penstock-read-units': String(paged.body.data!.readUnits),
      'x-penstock-warnings': '[]',
      'content-digest': DIGEST_OF(body),
    });
  });

  it('are NDJSON, whose last line says what it came to', async () => {
    const { body, trailers } = await stream(
      { ...CUSTOMERS, options: { responseType: 'object', maxRows: 2 } },
      'application/x-ndjson',
    );
    const lines = body.toString().trimEnd().split('\n');
    expect(lines).to.have.length(3);
    expect(JSON.parse(lines[0]!)).to.have.all.keys('id', 'name');
    const summary = JSON.parse(lines[2]!) as Record<string, unknown>;
    expect(summary).to.include({ rows: 2 }).and.to.include.keys('readUnits', 'planTime', 'execTime');
    expect(trailers['content-digest']).to.equal(DIGEST_OF(body));
  });

  it('are NDJSON with names and types in a line of their own, and what each read came to, for whoever asks', async () => {
    const sql = 'SELECT c.id, c.name AS a FROM shop.customers c ORDER BY 2';
    const accept = 'application/x-ndjson; header=present';
    const { body } = await stream({ sql }, accept);
    const lines = body.toString().trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).to.deep.equal({
      columns: ['id', 'a'],
      columnTypes: ['VARCHAR', 'VARCHAR'],
    });
    const end = JSON.parse(lines.at(-1) ?? '') as { rows: number; readUnits: number; reads: object[] };
    expect(lines).to.have.length(end.rows + 2);
    const [read, ...others] = end.reads;
    expect(others).to.deep.equal([]);
    expect(read).to.include({
      table: 'shop.customers',
      alias: 'c',
      readUnits: end.readUnits,
      items: end.rows,
    });
    const planned = await stream({ sql: 'SELECT id FROM shop.long', mode: 'plan' }, accept);
    const { data } = JSON.parse(planned.body.toString()) as { data: { plan: string } };
    expect(data.plan)
      .to.match(/^Whole result /)
      .and.not.include('stops after');
  });

  it('are Parquet, which DuckDB reads, and which is not compressed twice', async () => {
    const paged = await tenant.query(CUSTOMERS.sql);
    for (const accept of [
      'application/vnd.apache.parquet',
      'text/csv;q=0.5, application/vnd.apache.parquet',
      'application/vnd.apache.parquet, application/pdf',
    ]) {
      const { status, headers, trailers, body, isWhole } = await stream(CUSTOMERS, accept, {
        'x-request-id': 'report-2',
        'accept-encoding': 'gzip, br, zstd',
      });
      expect([status, isWhole]).to.deep.equal([200, true]);
      expect(headers).to.include({
        'content-type': 'application/vnd.apache.parquet',
        'content-disposition': 'attachment; filename="result-report-2.parquet"',
        'x-penstock-columns': '[["id","VARCHAR"],["name","VARCHAR"]]',
        vary: 'accept',
      });
      expect(headers['content-encoding']).to.equal(undefined);
      expect(trailers).to.include({
        'x-penstock-rows': String(paged.body.data!.data.length),
        'x-penstock-read-units': String(paged.body.data!.readUnits),
        'content-digest': DIGEST_OF(body),
      });
      const { names, rows } = await readParquet(body);
      expect(names).to.deep.equal(['id', 'name']);
      expect(rows).to.deep.equal(paged.body.data!.data);
    }
  });

  it('are Parquet of 600 columns, each with the values that a page shows, and CSV of more', async () => {
    // More than a sample keeps of a table: in quotes, an attribute need not be known.
    const sqlOf = (columns: number): string =>
      `SELECT ${BROAD_NAMES.slice(0, columns)
        .map((name) => `"${name}"`)
        .join(', ')} FROM shop.broad`;
    const page = await tenant.query(sqlOf(600));
    expect(page.body.success, page.text).to.equal(true);
    const { columns, columnTypes, data } = page.body.data!;
    const { status, body, isWhole } = await stream({ sql: sqlOf(600) }, PARQUET);
    expect([status, isWhole], body.subarray(0, 300).toString()).to.deep.equal([200, true]);
    const read = await readParquet(body);
    expect(read.names).to.deep.equal(columns);
    const both = comparable(read, { json: JSON.stringify(data), types: columnTypes });
    expect(both.file).to.deep.equal(both.page);

    // Of so many DuckDB's writer does not fit into what one query may use: said before anything goes out.
    const refused = await stream({ sql: sqlOf(1_599) }, PARQUET);
    expect(JSON.parse(refused.body.toString())).to.include({
      success: false,
      error: 'The query needs more memory than one query may use',
    });
    const csv = await stream({ sql: sqlOf(1_599) }, 'text/csv');
    expect([csv.status, csv.isWhole]).to.deep.equal([200, true]);
    expect(csv.body.toString().split('\r\n')[0]).to.equal(BROAD_NAMES.join(','));
  });

  it('come in the coding that is liked best', async () => {
    const plain = await stream(CUSTOMERS, 'text/csv');
    for (const [accepted, coding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip;q=0.5, zstd', 'zstd', zstdDecompressSync],
    ] as const) {
      const { headers, body, trailers } = await stream(CUSTOMERS, 'text/csv', {
        'accept-encoding': accepted,
      });
      expect(headers['content-encoding']).to.equal(coding);
      expect(decode(body).toString()).to.equal(plain.body.toString());
      expect(trailers['content-digest']).to.equal(DIGEST_OF(body));
    }
    const none = await stream(CUSTOMERS, 'text/csv', { 'accept-encoding': 'x-unknown' });
    expect(none.headers['content-encoding']).to.equal(undefined);
  });

  it('come as they are to who asks for no transformation, whatever codings it takes', async () => {
    const { headers, body } = await stream(CUSTOMERS, 'text/csv', {
      'accept-encoding': 'zstd, br, gzip',
      'cache-control': 'no-transform',
    });
    expect(headers['content-encoding']).to.equal(undefined);
    expect(body.toString()).to.match(/^id,name\r\n/);
  });

  it('are not what an application/json client gets, nor one that says nothing', async () => {
    for (const accept of [
      'application/json',
      'application/json; charset=utf-8',
      '*/*',
      'application/*',
      'text/csv;q=0.1, application/json',
    ]) {
      const { headers, body } = await stream(CUSTOMERS, accept);
      expect(headers['content-type'], accept).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(body.toString()), accept).to.have.property('success', true);
    }
    const plan = await stream({ ...CUSTOMERS, mode: 'plan' }, 'text/csv');
    expect(JSON.parse(plan.body.toString())).to.have.nested.property('data.plan');
  });

  it('are what is accepted with the parameters that they have', async () => {
    for (const [accept, type] of [
      ['text/csv; charset=utf-8', 'text/csv; charset=utf-8; header=present'],
      ['text/csv;header=present', 'text/csv; charset=utf-8; header=present'],
      ['text/csv; charset="UTF-8"; header=present; q=0.5', 'text/csv; charset=utf-8; header=present'],
      ['application/x-ndjson;charset=utf-8', 'application/x-ndjson; charset=utf-8'],
    ] as const) {
      const { status, headers } = await stream(CUSTOMERS, accept);
      expect([status, headers['content-type']], accept).to.deep.equal([200, type]);
    }
    for (const accept of ['text/csv; charset=latin1', 'text/csv; header=absent'])
      expect((await stream(CUSTOMERS, accept)).status, accept).to.equal(406);
  });

  it('are refused by name before anything is read', async () => {
    await clearRequests(stack, account);
    for (const [json, accept, status, message] of [
      [CUSTOMERS, 'application/pdf', 406, 'application/pdf'],
      [CUSTOMERS, 'application/vnd.apache.parquet;q=0', 406, 'application/vnd.apache.parquet;q=0'],
      [{ ...CUSTOMERS, options: { responseType: 'object' } }, PARQUET, 400, 'options.responseType'],
      [{ ...CUSTOMERS, options: { resumeIdx: 100 } }, PARQUET, 400, 'options.resumeIdx'],
      [{ sql: 'SELECT nope FROM shop.customers' }, PARQUET, 200, 'Column not found'],
      [{ ...CUSTOMERS, options: { resumeIdx: 100 } }, 'text/csv', 400, 'options.resumeIdx'],
      [{ ...CUSTOMERS, options: { responseType: 'object' } }, 'text/csv', 400, 'options.responseType'],
      [{ ...CUSTOMERS, options: { maxRows: 0 } }, 'text/csv', 400, 'options.maxRows'],
      [{ ...CUSTOMERS, options: { timeoutMs: 3_600_001 } }, 'text/csv', 400, 'options.timeoutMs'],
      [{ ...CUSTOMERS, options: { timeoutMs: 300_001 } }, 'application/json', 400, 'options.timeoutMs'],
      [{ sql: 'SELECT nope FROM shop.customers' }, 'text/csv', 200, 'Column not found'],
      [{ sql: 'SELEC' }, 'text/csv', 400, ''],
    ] as const) {
      const answer = await stream(json, accept);
      expect(answer.status, message).to.equal(status);
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
      const body = JSON.parse(answer.body.toString()) as QueryEnvelope;
      expect(body.success).to.equal(false);
      expect(body.error).to.include(message);
    }
    expect(await requestsOf(stack, account)).to.deep.equal([]);
  });

  it('that fail on the way are cut; NDJSON says why in its last line', async () => {
    const wide = { sql: 'SELECT id, filler FROM shop.long' };
    /** Stopped by its request ID once rows have come. */
    const stopped = (requestId: string, accept: string, coding: string): Promise<Streamed> => {
      let isAsked = false;
      return stream(wide, accept, { 'x-request-id': requestId, 'accept-encoding': coding }, () => {
        if (!isAsked) void tenant.call('DELETE', `/v1/queries/${requestId}`);
        isAsked = true;
      });
    };
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'long', latencyMs: 200 }]);
    for (const coding of ['identity', 'gzip']) {
      const { status, isWhole, body, trailers } = await stopped(
        `cut-${coding}`,
        'application/x-ndjson',
        coding,
      );
      expect([status, isWhole]).to.deep.equal([200, false]);
      expect(trailers).to.deep.equal({});
      const text = coding === 'gzip' ? gunzipSync(body) : body;
      const lines = text.toString().split('\n');
      expect(lines.pop()).to.equal('');
      expect(lines.length).to.be.within(2, 100);
      expect(JSON.parse(lines.at(-1)!)).to.include({ error: 'The query was stopped' });
    }
    const csv = await stopped('cut-csv', 'text/csv', 'gzip');
    expect([csv.status, csv.isWhole, csv.trailers]).to.deep.equal([200, false, {}]);
    const parquet = await stopped('cut-parquet', PARQUET, 'identity');
    expect([parquet.status, parquet.isWhole, parquet.trailers]).to.deep.equal([200, false, {}]);
    expect(parquet.body.subarray(0, 4).toString()).to.equal('PAR1');
    expect(parquet.body.subarray(-4).toString()).not.to.equal('PAR1');
    // Parquet and CSV have no line that says why.
    for (const requestId of ['cut-csv', 'cut-parquet']) {
      const { body } = await tenant.call('GET', `/v1/queries/${requestId}`);
      expect(body.data).to.deep.equal({
        requestId,
        state: 'failed',
        error: 'The query was stopped',
        detailedError: `Its tenant asked for it: DELETE /v1/queries/${requestId}`,
      });
    }
    await setFaults(stack, []);
  });

  const scans = async (): Promise<number> => (await requestsOf(stack, account)).length;

  for (const [ending, table, options] of [
    ['a hang-up', 'long', {}],
    ['DELETE', 'long', {}],
    ['the timeout', 'long', { timeoutMs: 2_500 }],
    // More than was there when the table was described, less than there is.
    ['the limit of read units', 'grown', { maxReadUnits: 300 }],
  ] as const)
    it(`read no more a second after ${ending}, as Parquet`, async () => {
      await setFaults(stack, [{ accountId: account.accountId, tableName: table, latencyMs: 400 }]);
      await clearRequests(stack, account);
      const requestId = `ends-${ending.replaceAll(' ', '-')}`;
      const stopping: Promise<unknown>[] = [];
      const sql = `SELECT id, filler FROM shop.${table}`;
      const { isWhole, headers } = await stream(
        { sql, options },
        PARQUET,
        { 'x-request-id': requestId },
        (response) => {
          if (ending === 'a hang-up') response.destroy();
          if (ending === 'DELETE' && stopping.length === 0)
            stopping.push(tenant.call('DELETE', `/v1/queries/${requestId}`));
        },
      );
      await Promise.all(stopping);
      const after = await comesToRest(scans, { withinMs: 1_000, quietMs: 1_000 });
      // Where it ended before its first rows, JSON says so.
      const isRefusal = headers['content-type']?.startsWith('application/json') === true;
      expect([isWhole, after > 0]).to.deep.equal([isRefusal, true]);
      await setFaults(stack, []);
    });

  it('keep the pace of who takes a megabyte a second, in the same memory', async () => {
    const { wrong, formats } = await readSlowly(stack, IS_LONG ? 20_000 : 4_000, ['csv']);
    expect(wrong, JSON.stringify(formats)).to.deep.equal([]);
  });

  it('read at the pace of who takes them, and no more once nobody does', async () => {
    await clearRequests(stack, account);
    const before = Number((await usage())['ddbReadUnits']);
    const pausing = Promise.withResolvers<() => void>();
    let hasStopped = false;
    const reading = stream({ sql: 'SELECT id, filler FROM shop.long' }, 'text/csv', {}, (response, bytes) => {
      if (hasStopped || bytes < 1_000_000) return;
      hasStopped = true;
      response.pause();
      pausing.resolve(() => response.destroy());
    });
    const hangUp = await pausing.promise;
    // What is read ahead comes at the machine's pace; then nothing more does.
    const paused = await comesToRest(scans, { withinMs: 15_000, quietMs: 2_000 });
    hangUp();
    // At most 8 MB are read ahead of what it took.
    expect(paused).to.be.lessThan(14);
    await reading;
    await comesToRest(scans, { withinMs: 1_000, quietMs: 1_000 });
    expect(Number((await usage())['ddbReadUnits'])).to.be.greaterThan(before);
  });

  it('read no further than is wanted, until more is, and end where nothing is left', async () => {
    await clearRequests(stack, account);
    const path = '/v1/queries/wanted';
    let arrived = 0;
    const reading = stream(
      { sql: 'SELECT id, filler FROM shop.long', options: { rowsWanted: 1 } },
      'application/x-ndjson',
      { 'x-request-id': 'wanted', 'cache-control': 'no-transform' },
      (_response, bytes) => (arrived = bytes),
    );
    await until(() => arrived > 150_000, { what: 'the first rows' });
    expect(await comesToRest(scans, { withinMs: 2_000, quietMs: 1_000 })).to.equal(1);
    const seen = await tenant.call('GET', path);
    expect(seen.body.data).to.include({ state: 'running' });
    expect(seen.body.data!['readUnits']).to.be.within(100, 128);
    const more = await tenant.call('PATCH', path, { json: { rowsWanted: 12 } });
    expect(more.body.data).to.include({ rows: seen.body.data!['rows'] });
    await until(() => arrived > 2_300_000, { what: 'the rows that are wanted' });
    const read = await comesToRest(scans, { withinMs: 2_000, quietMs: 1_000 });
    expect(read).to.be.within(2, 3);
    await tenant.call('PATCH', path, { json: { rowsWanted: 4_294_967_295 } });
    const { isWhole, body } = await reading;
    const lines = body.toString().trimEnd().split('\n');
    expect([isWhole, lines.length]).to.deep.equal([true, 101]);
    expect((await tenant.call('PATCH', path, { json: { rowsWanted: 1 } })).status).to.equal(404);
  });

  it('take a number of rows that are wanted of NDJSON alone', async () => {
    for (const accept of ['text/csv', 'application/json']) {
      const { status, body } = await stream({ ...CUSTOMERS, options: { rowsWanted: 1 } }, accept);
      expect([status, body.toString()], accept).to.deep.equal([400, body.toString()]);
      expect(body.toString(), accept).to.include('rowsWanted');
    }
  });

  async function usage(): Promise<Record<string, number>> {
    const answer = await tenant.call('GET', '/v1/usage/summary');
    return answer.body.data!['totals'] as Record<string, number>;
  }
});
