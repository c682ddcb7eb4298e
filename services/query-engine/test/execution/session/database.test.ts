import { expect } from 'chai';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { TypeCode, typeBit } from '../../../src/dynamodb/column-batch.ts';
import { integer } from '../../../src/duckdb-sql/types/sql-type.ts';
import { createBatchAppender } from '../../../src/execution/loading/append.ts';
import { createEmpty } from '../../../src/execution/loading/load-read.ts';
import { createDatabase, type Database } from '../../../src/execution/session/database.ts';
import { openSession, type Session } from '../../../src/execution/session/session.ts';
import { testDatabase } from '../tables.ts';

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

async function all(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

describe('the database', () => {
  let database: Database;
  before(() => {
    database = testDatabase(100);
  });
  after(() => database.close());

  const open = (signal = new AbortController().signal) =>
    openSession(database, { signal, columnNames: new Map([[7, 'price']]) });

  for (const sql of [
    `SELECT * FROM read_csv('/etc/passwd')`,
    `SELECT * FROM '/etc/passwd'`,
    `COPY (SELECT 1) TO '/tmp/penstock-should-not-exist'`,
    `ATTACH '/tmp/penstock-should-not-exist.db'`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `SET memory_limit = '100GB'`,
    `SET lock_configuration = false`,
    `SET enable_external_access = true`,
  ]) {
    it(`refuses ${sql}`, async () => {
      const session = await open();
      expect(await failureOf(session.run(sql))).to.be.instanceOf(PenstockError);
      session.close();
    });
  }

  it('tells whoever has a statement read that other queries have all the memory', async () => {
    const small = createDatabase({
      memoryMb: 4,
      tempDirectory: join(tmpdir(), `penstock-test-${process.pid}`),
      tempMb: 0,
      threads: 1,
    });
    const long = Array.from({ length: 1_500 }, (_, i) => `SELECT a + ${i} AS n FROM t`).join(' UNION ALL ');
    const failure = await failureOf(small.serialize(long));
    expect(failure).to.be.instanceOf(PenstockError).and.to.have.property('code', 'UNAVAILABLE');
    expect(JSON.parse(await small.serialize('SELECT 1'))).to.have.property('error', false);
    await small.close();
  });

  it("keeps a query's tables from every other", async () => {
    const [one, other] = [await open(), await open()];
    await one.run('CREATE TEMP TABLE r0 (k0 BIGINT)');
    expect(await failureOf(other.run('SELECT * FROM r0'))).to.be.instanceOf(PenstockError);
    one.close();
    other.close();
  });

  it('says so where the tables of queries at once have no room in its memory', async function () {
    this.timeout(30_000);
    const types = Array.from({ length: 1_000 }, () => integer(1));
    const cell = {
      types: Uint8Array.of(TypeCode.N),
      bytes: Buffer.from('7'),
      offsets: Uint32Array.of(0, 1),
      typesSeen: typeBit(TypeCode.N),
    };
    const batch = { rowCount: 1, columns: types.map(() => cell) };
    const sessions: Session[] = [];
    let failure: unknown = null;
    while (failure === null && sessions.length < 100) {
      const session = await open();
      sessions.push(session);
      await createEmpty(session, 'r0', types);
      failure = await failureOf(
        session.append('r0', (appender) => createBatchAppender(types).append(appender, batch)),
      );
    }
    for (const session of sessions) session.close();
    expect(failure).to.be.instanceOf(PenstockError).with.property('code', 'RESOURCE_EXHAUSTED');
  });

  it('stops a statement when its query is to end, and works on', async () => {
    const ending = new AbortController();
    const session = await open(ending.signal);
    const reason = new PenstockError('TIMEOUT', 'too long');
    setTimeout(() => ending.abort(reason), 50);
    const started = Date.now();
    const endless = session.run(
      'SELECT count(*) FROM range(10000000000) a(x), range(1000) b(y) WHERE x + y < 0',
    );
    expect(await failureOf(endless)).to.equal(reason);
    expect(Date.now() - started).to.be.below(9_000);
    session.close();
    const next = await open();
    await next.run('SELECT 1');
    next.close();
  });

  it('starts nothing for a query that has ended', async () => {
    const reason = new PenstockError('CANCELLED', 'gone');
    const session = await open(AbortSignal.abort(reason));
    expect(await failureOf(session.run('SELECT 1'))).to.equal(reason);
    session.close();
  });

  it('fails a query that needs too much memory alone', async () => {
    const session = await open();
    const failure = await failureOf(
      all(session.stream(`SELECT string_agg(repeat('x', 1000000), '' ORDER BY x) FROM range(2000) t(x)`)),
    );
    expect(failure).to.be.instanceOf(PenstockError).with.property('code', 'RESOURCE_EXHAUSTED');
    session.close();
    const next = await open();
    await next.run('SELECT 1');
    next.close();
  });

  it('spills to a directory that nobody has made', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'penstock-spill-'));
    const options = { memoryMb: 64, tempDirectory: join(parent, 'a', 'b'), tempMb: 512, threads: 1 };
    const small = createDatabase(options);
    const { signal } = new AbortController();
    const session = await openSession(small, { signal, columnNames: new Map() });
    await session.run(
      'CREATE TEMP TABLE r0 AS SELECT x, repeat(x::VARCHAR, 4) AS y FROM range(4000000) t(x)',
    );
    session.close();
    await small.close();
    expect(await readdir(join(parent, 'a'))).to.deep.equal(['b']);
    await rm(parent, { recursive: true });
  });

  it('shows errors with the names that the statement has', async () => {
    const session = await open();
    const failure = await failureOf(session.run(`SELECT sum(c7) FROM (SELECT 'x' AS c7) t1`));
    expect(failure).to.be.instanceOf(PenstockError).with.property('code', 'TYPE_ERROR');
    const conversion = await failureOf(session.run(`SELECT CAST('abc' AS BIGINT)`));
    expect(conversion).to.have.property('code', 'EXECUTION_ERROR');
    expect((conversion as PenstockError).message).to.equal(
      "Conversion failed: Could not convert string 'abc' to BIGINT",
    );
    session.close();
  });

  it('takes no row from behind a LIMIT for a join that wants others (duckdb/duckdb#22924)', async () => {
    const options = {
      memoryMb: 100,
      tempDirectory: join(tmpdir(), 'penstock-limit'),
      tempMb: 100,
      threads: 4,
    };
    const parallel = createDatabase(options);
    const connection = await parallel.connect();
    await connection.run(
      `CREATE TEMP TABLE orders AS SELECT 'c' || (x % 4) AS customer, 1 + (x * 7) % 6 AS number FROM range(60) t(x)`,
    );
    await connection.run(`CREATE TEMP TABLE wanted AS SELECT 'c2' AS id`);
    const last = 'SELECT customer, number FROM orders ORDER BY number DESC, customer LIMIT 13';
    const ofC2 = `SELECT count(*)::INTEGER FROM (${last}) WHERE customer IN (SELECT id FROM wanted)`;
    // Fails about every third time where DuckDB's optimizer may do as it likes.
    for (let time = 0; time < 60; time += 1) {
      expect((await connection.runAndReadAll(ofC2)).getRows()).to.deep.equal([[0]]);
    }
    connection.closeSync();
    await parallel.close();
  });

  it('gives parse trees', async () => {
    expect(JSON.parse(await database.serialize('SELECT 1'))).to.have.property('error', false);
    expect(JSON.parse(await database.serialize('SELECT FROM WHERE'))).to.have.property('error', true);
  });

  describe('reading trees', () => {
    const asker = (tenantId: string, signal = new AbortController().signal) => ({ tenantId, signal });

    it('lets tenants take turns: one with many statements waits behind its own', async () => {
      const ended: string[] = [];
      const read = async (tenantId: string): Promise<void> => {
        await database.serialize('SELECT 1', asker(tenantId));
        ended.push(tenantId);
      };
      await Promise.all([...Array.from({ length: 50 }, () => read('a')), read('b')]);
      expect(ended).to.have.length(51);
      expect(ended.indexOf('b')).to.be.below(3);
    });

    it('lets those that gave up leave the queue, with their own reason', async () => {
      const gaveUp = new AbortController();
      const reason = new PenstockError('CANCELLED', 'gone');
      const first = database.serialize('SELECT 1', asker('a'));
      const waiting = Array.from({ length: 200 }, () =>
        failureOf(database.serialize(`SELECT ${'1, '.repeat(2_000)} 1`, asker('a', gaveUp.signal))),
      );
      const last = database.serialize('SELECT 2', asker('a'));
      gaveUp.abort(reason);
      const before = process.cpuUsage();
      expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([reason]));
      expect(await first).to.include('"error":false');
      expect(await last).to.include('"error":false');
      // Two hundred trees of two thousand columns would be seconds.
      expect(process.cpuUsage(before).user / 1000).to.be.below(1_500);
    });
  });
});
