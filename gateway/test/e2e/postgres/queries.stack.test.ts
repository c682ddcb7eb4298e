/** PostgreSQL clients read what REST reads: the same rows, for the same units, counted alike. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import QueryStream from 'pg-query-stream';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { comesToRest } from '../support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from '../support/request-log.ts';
import { newShop, seedShop, seedWide } from '../support/shop.ts';
import { streamed } from '../support/streamed.ts';
import { cellTokens } from '../../../src/postgres/results/json-rows.ts';
import { recovers } from '../../chaos/recovers.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';
import * as frames from '../../postgres/process/support/frames.ts';
import { signedIn } from '../../postgres/process/support/raw-client.ts';
import { connected, connectionUrl, ended, errorOf, psql } from './connect.ts';

const SQL = [
  'SELECT * FROM shop.customers ORDER BY id',
  "SELECT id, name FROM shop.customers WHERE id = 'c1'",
  'SELECT c.name, COUNT(*) AS n, SUM(o.total) AS sum FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY c.name',
  'SELECT DISTINCT status FROM shop.orders ORDER BY status',
  'WITH big AS (SELECT * FROM shop.orders WHERE total > 10) SELECT COUNT(*) FROM big',
  'SELECT id FROM shop.customers UNION ALL SELECT customer_id FROM shop.orders ORDER BY 1',
  'SELECT AVG(no), MIN(total), MAX(total), STDDEV(no) FROM shop.orders',
  "SELECT UPPER(name) || '!', LENGTH(name), name LIKE 'A%', NULLIF(name, 'x') FROM shop.customers ORDER BY id",
  'SELECT total / 4 AS y, 1.10 AS z, NULL AS n, TRUE AS t FROM shop.orders ORDER BY total',
  "SELECT CAST('2024-01-02' AS DATE) AS d, CAST('2024-01-02 03:04:05' AS TIMESTAMP) AS ts FROM shop.customers",
  'SELECT customer_id, no, total FROM shop.orders ORDER BY customer_id, no LIMIT 3 OFFSET 1',
  'SELECT o.no FROM shop.orders o WHERE EXISTS (SELECT 1 FROM shop.customers c WHERE c.id = o.customer_id) ORDER BY o.total',
];

/** A value of REST, as it stands in its JSON, as PostgreSQL's text has it. */
function asText(token: string): string | null {
  if (token === 'null') return null;
  if (token === 'true' || token === 'false') return token[0]!;
  if (!token.startsWith('"')) return token;
  return (JSON.parse(token) as string).replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ');
}

describe('queries of PostgreSQL clients', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let client: pg.Client;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      await seedWide(own, 'long', 100, 200_000);
    }));
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
    client = await connected(stack, tenant.credentials);
  });
  after(async () => {
    await ended(client);
    await setFaults(stack, []);
    account.close();
  });

  const usage = async () => {
    const { body } = await tenant.call('GET', '/v1/usage/summary');
    return body.data!['totals'] as { requests: number; rowsReturned: number; ddbReadUnits: number };
  };
  /** What is counted once all of it is. */
  const counted = async (work: () => Promise<unknown>) => {
    // Each is recorded before its answer ends, but for those whose portal was closed early.
    const settled = () => comesToRest(usage, { withinMs: 10_000, quietMs: 700 });
    const before = await settled();
    await work();
    const after = await settled();
    return {
      requests: after.requests - before.requests,
      rows: after.rowsReturned - before.rowsReturned,
    };
  };
  /** The rows of REST, each digit as it was sent. */
  const restRows = async (sql: string): Promise<readonly (readonly (string | null)[])[]> => {
    const headers = { authorization: `Bearer ${tenant.token}`, accept: 'application/x-ndjson' };
    const { body } = await streamed(`${stack.baseUrl}/v1/query`, { sql }, headers);
    const lines = body.toString().trimEnd().split('\n').slice(0, -1);
    return lines.map((line) => cellTokens(line).map(asText));
  };

  it("give REST's rows, by the simple and by the extended protocol, in text and in binary", async () => {
    for (const sql of SQL) {
      const expected = await restRows(sql);
      const simple = await client.query({ text: sql, rowMode: 'array' });
      expect(simple.rows, sql).to.deep.equal(expected);
      const extended = await client.query({
        text: sql,
        values: [],
        name: `s${SQL.indexOf(sql)}`,
        rowMode: 'array',
      });
      expect(extended.rows, sql).to.deep.equal(expected);
      expect(extended.rowCount).to.equal(expected.length);
    }
  });

  it('mean what PostgreSQL means: names of columns, the backslash of LIKE, and where NULL stands', async () => {
    const { rows, fields } = await client.query(
      "SELECT count(*), max(name), 'a_c' LIKE 'a\\_c', EXISTS (SELECT 1), id::text FROM shop.customers GROUP BY id ORDER BY id LIMIT 1",
    );
    expect(fields.map(({ name }) => name)).to.deep.equal(['count', 'max', '?column?', 'exists', 'id']);
    expect((rows[0] as Record<string, unknown>)['?column?']).to.equal('t');
    const names = "SELECT NULLIF(name, 'Bob m') AS name FROM shop.customers ORDER BY name";
    const { rows: ascending } = await client.query<{ name: string | null }>(names);
    const { rows: prepared } = await client.query<{ name: string | null }>({ text: `${names} DESC`, values: [], name: 'desc' }); // oxfmt-ignore
    const all = ascending.map(({ name }) => name);
    expect(all).to.include(null);
    expect(all.at(-1)).to.equal(null);
    expect(prepared.map(({ name }) => name)).to.deep.equal(all.toReversed());
    // Over REST NULL is below all values.
    expect((await restRows(names))[0]).to.deep.equal([null]);
    const { rows: plan } = await client.query(`EXPLAIN ${names}`);
    expect(JSON.stringify(plan)).to.contain('NULLS LAST');
  });

  it('give the same rows to psql', async () => {
    const script = SQL.map((sql) => `${sql};`).join('\n');
    const { stdout, stderr, code } = await psql(connectionUrl(stack, tenant.credentials), script, [
      ...['--no-align', '--tuples-only', '--field-separator', '\u0001', '--pset', 'null=∅', '--quiet'],
    ]);
    expect([code, stderr.replace(/^.*WARNING.*\n/gm, '')]).to.deep.equal([0, '']);
    const expected: string[] = [];
    for (const sql of SQL)
      for (const row of await restRows(sql)) expected.push(row.map((value) => value ?? '∅').join('\u0001'));
    expect(stdout.trimEnd().split('\n')).to.deep.equal(expected);
  });

  it('give binary values that are the same', async () => {
    const sql =
      "SELECT total, total > 15, customer_id, CAST('2024-01-02' AS DATE) FROM shop.orders ORDER BY total";
    const text = await client.query({ text: sql, rowMode: 'array' });
    // A statement with a name goes by the extended protocol; the driver hands on bytes as text.
    const binary = await client.query({
      ...{ text: sql, name: 'binary', values: [], rowMode: 'array', binary: true },
    } as pg.QueryArrayConfig);
    expect(binary.rows).to.have.length(text.rows.length);
    const [first] = binary.rows as string[][];
    expect(first!.slice(1)).to.deep.equal([
      ...[text.rows[0]![1] === 't' ? '\u0001' : '\u0000', text.rows[0]![2], '\0\0"?'],
    ]);
  });

  it('never give bytes for a text that looks like base64, in an attribute that the sample knows as binary', async () => {
    await createTable(account, {
      TableName: 'blobs',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await putItems(account, 'blobs', [{ id: { S: 'bytes' }, data: { B: Uint8Array.of(105, 183, 29) } }]);
    await tenant.query('SELECT id FROM shop.blobs');
    await putItems(account, 'blobs', [{ id: { S: 'text' }, data: { S: 'abcd' } }]);
    const bytes = await client.query("SELECT data FROM shop.blobs WHERE id = 'bytes'");
    expect(bytes.rows).to.deep.equal([{ data: '\\x69b71d' }]);
    const refused = (error: pg.DatabaseError): void => {
      expect(error.code).to.equal('22P02');
      expect(error.hint).to.equal('CAST(data AS VARCHAR) reads all its values as text');
    };
    refused(await errorOf(client.query("SELECT id, data FROM shop.blobs WHERE id = 'text'")));
    // Soon after that it is known that the attribute has several types: then it is announced as text.
    const all = await client.query('SELECT id, data FROM shop.blobs').catch((error: unknown) => {
      refused(error as pg.DatabaseError);
      return null;
    });
    expect(all?.fields[1]?.dataTypeID ?? 25).to.equal(25);
    const texts = await client.query('SELECT CAST(data AS VARCHAR) AS data FROM shop.blobs ORDER BY id');
    expect(texts.rows).to.deep.equal([{ data: 'abcd' }, { data: 'abcd' }]);
  });

  it('take parameters of types that nobody named, and of arrays', async () => {
    const byText = await client.query('SELECT name FROM shop.customers WHERE id = $1', ['c1']);
    expect(byText.rows).to.deep.equal([{ name: 'Ada m' }]);
    const byNumber = await client.query(
      'SELECT COUNT(*) AS n FROM shop.orders WHERE total > $1 LIMIT $2',
      [20, 5],
    );
    const rest = await tenant.query('SELECT COUNT(*) AS n FROM shop.orders WHERE total > 20');
    expect(byNumber.rows).to.deep.equal([{ n: String(rest.body.data!.data[0]![0]) }]);
    const byArray = await client.query('SELECT id FROM shop.customers WHERE id = ANY ($1) ORDER BY id', [
      ['c1', 'c2'],
    ]);
    expect(byArray.rows).to.deep.equal([{ id: 'c1' }, { id: 'c2' }]);
  });

  it('with parameters are the tables’, also where no value or only NULL would make a condition true', async () => {
    // Once the tenant's server has the table, which it has once a query has named it.
    await tenant.query('SELECT id FROM shop.customers LIMIT 1');
    await recovers(
      async () => (await client.query("SELECT 1 FROM pg_class WHERE relname = 'customers'")).rowCount === 1,
    );
    for (const [sql, values, rows] of [
      ['SELECT id FROM shop.customers WHERE id = $1 AND 1 = 1', ['c1'], 1],
      ['SELECT id FROM shop.customers WHERE $1::boolean', ['t'], 3],
      ['SELECT id FROM shop.customers WHERE id = ANY ($1) AND id IS NOT NULL', [['c1', 'c2']], 2],
      ['SELECT id FROM shop.customers LIMIT $1', [2], 2],
    ] as const) {
      const { rowCount } = await client.query({ text: sql, values: [...values] });
      expect(rowCount, sql).to.equal(rows);
    }
  });

  it('read a text that is cast to bytes as PostgreSQL does, whatever type its driver declared', async () => {
    const raw = await signedIn(tenant.credentials, { port: Number(new URL(stack.postgresUrl).port) });
    const [UNKNOWN, BYTEA, TEXT, VARCHAR] = [0, 17, 25, 1043];
    try {
      for (const oid of [UNKNOWN, BYTEA, TEXT, VARCHAR])
        for (const [value, shown] of [
          ['AwEC', '\\x41774543'],
          ['\\x0102', '\\x0102'],
          ['\\001a', '\\x0161'],
        ] as const) {
          raw.send(frames.parse('', 'SELECT $1::bytea AS b', [oid]), frames.bind('', '', [value]));
          raw.send(frames.execute(''), frames.SYNC);
          const row = (await raw.until('Z')).find(({ type }) => type === 'D');
          expect(row?.body.subarray(6).toString(), `${value} as ${oid}`).to.equal(shown);
        }
    } finally {
      raw.destroy();
    }
  });

  it('say what is wrong with SQLSTATE, hint and position, and the session goes on', async () => {
    const wrong: readonly (readonly [string, string, number | undefined])[] = [
      ['SELECT a FORM b', '42601', 15],
      ["SELECT 'é😀', nam FROM shop.customers", '42703', 14],
      ['SELECT * FROM shop.nothing', '42P01', 15],
      ['SELECT * FROM nowhere.orders', '42P01', 15],
      ['SELECT nofunction(1)', '42883', 8],
      ["INSERT INTO shop.orders VALUES ('x')", '25006', undefined],
      ['SET nothing_like_it = 1', '42704', undefined],
      ["SELECT CAST('x' AS INTEGER)", '22P02', undefined],
      ['SELECT 1e400::float8', '22003', undefined],
    ];
    for (const [sql, code, position] of wrong)
      for (const values of [undefined, []]) {
        const error = await errorOf(
          client.query(values === undefined ? sql : { text: sql, values, name: '' }),
        );
        expect(error.code, `${sql}: ${error.message}`).to.equal(code);
        if (position !== undefined) expect(Number(error.position), sql).to.equal(position);
      }
    expect((await errorOf(client.query('INSERT INTO shop.orders VALUES ($1)', ['x']))).code).to.equal(
      '25006',
    );
    expect((await client.query('SELECT id FROM shop.customers')).rowCount).to.equal(
      (await tenant.query('SELECT id FROM shop.customers')).body.data!.data.length,
    );
  });

  it('keep the state of transactions that drivers expect', async () => {
    await client.query('BEGIN');
    expect((await errorOf(client.query('SELECT nothing FROM shop.orders'))).code).to.equal('42703');
    expect((await errorOf(client.query('SELECT 1'))).code).to.equal('25P02');
    expect((await client.query('ROLLBACK')).command).to.equal('ROLLBACK');
    await client.query('BEGIN; SAVEPOINT a');
    expect((await errorOf(client.query('SELECT nothing FROM shop.orders'))).code).to.equal('42703');
    await client.query('ROLLBACK TO a');
    expect((await client.query('SELECT id FROM shop.customers LIMIT 1')).rowCount).to.equal(1);
    await client.query("SET LOCAL statement_timeout = '9s'; COMMIT");
    expect((await client.query('SHOW statement_timeout')).rows).to.deep.equal([{ statement_timeout: '0' }]);
  });

  it('are answered as several statements of one query, up to the first that fails', async () => {
    const results = (await client.query('SELECT 1 AS a; SELECT 2 AS b')) as unknown as pg.QueryResult[];
    expect(results.map(({ rows }) => rows as unknown)).to.deep.equal([[{ a: '1' }], [{ b: '2' }]]);
    expect(
      (await errorOf(client.query('SELECT 1; SELECT nothing FROM shop.orders; SELECT 3'))).code,
    ).to.equal('42703');
  });

  it('find tables by search_path', async () => {
    expect(
      (await errorOf(client.query('SET search_path = elsewhere; SELECT id FROM nothing'))).code,
    ).to.equal('42P01');
    await client.query('SET search_path = elsewhere, SHOP');
    expect((await client.query('SELECT id FROM customers LIMIT 1')).rowCount).to.equal(1);
    await client.query('RESET search_path');
  });

  it('fetch from a cursor at their pace, out of one query', async () => {
    await clearRequests(stack, account);
    const all = await restRows('SELECT total FROM shop.orders ORDER BY customer_id, no');
    await clearRequests(stack, account);
    const cursor = client.query(
      new Cursor<{ total: string }>('SELECT total FROM shop.orders ORDER BY customer_id, no'),
    );
    const ids: string[] = [];
    for (let rows = await cursor.read(2); rows.length > 0; rows = await cursor.read(2))
      ids.push(...rows.map(({ total }) => total));
    await cursor.close();
    expect(ids).to.deep.equal(all.map(([total]) => total));
    expect(await requestsOf(stack, account)).to.have.length(1);
    await client.query('BEGIN; DECLARE c CURSOR FOR SELECT total FROM shop.orders ORDER BY customer_id, no');
    const fetched = [
      ...(await client.query('FETCH 2 FROM c')).rows,
      ...(await client.query('FETCH ALL FROM c')).rows,
    ];
    expect(fetched.map(({ total }: { total: string }) => total)).to.deep.equal(ids);
    await client.query('COMMIT');
    expect((await errorOf(client.query('FETCH c'))).code).to.equal('34000');
  });

  it('read no further than a portal that is left alone, and nothing once it is closed', async () => {
    await clearRequests(stack, account);
    const cursor = client.query(new Cursor<{ id: string }>('SELECT id, filler FROM shop.long'));
    expect(await cursor.read(1)).to.have.length(1);
    const count = async (): Promise<number> => (await requestsOf(stack, account)).length;
    const held = await comesToRest(count, { withinMs: 2_500, quietMs: 1_500 });
    const pages = 20;
    expect(held).to.be.lessThan(pages);
    await cursor.close();
    await comesToRest(count, { withinMs: 1_300, quietMs: 1_000 });
  });

  it('stream a large result as node streams do', async () => {
    const stream = client.query(new QueryStream('SELECT id, filler FROM shop.long', [], { batchSize: 7 }));
    let rows = 0;
    let bytes = 0;
    for await (const row of stream) {
      rows++;
      bytes += (row as { filler: string }).filler.length;
    }
    expect([rows, bytes]).to.deep.equal([100, 100 * 200_000]);
  });

  it('are copied out as text and as CSV', async () => {
    const url = connectionUrl(stack, tenant.credentials);
    const { stdout } = await psql(
      url,
      "COPY (SELECT id, name FROM shop.customers WHERE id = 'c1') TO STDOUT WITH (FORMAT csv, HEADER);\n" +
        "\\copy (SELECT 'a\tb' || CHR(10) AS x, NULL AS y) TO STDOUT\n",
    );
    expect(stdout).to.equal('id,name\nc1,Ada m\na\\tb\\n\t\\N\n');
  });

  it('are copied out as bytes, in the forms of every version', async () => {
    const raw = await signedIn(tenant.credentials, { port: Number(new URL(stack.postgresUrl).port) });
    const copied = async (sql: string): Promise<string> => {
      raw.send(frames.query(sql));
      const answers = await raw.until('Z');
      expect(answers[0]!.body.toString('hex').slice(0, 2), sql).to.equal('01');
      // The header comes with the first row: some clients read a piece for each.
      const pieces = answers.flatMap(({ type, body }) => (type === 'd' ? [body] : []));
      expect(pieces[0]!.length, sql).to.be.greaterThan(19);
      return Buffer.concat(pieces).toString('hex');
    };
    try {
      const head = `${Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1').toString('hex')}0000000000000000`;
      const select = "SELECT id, NULL AS none, total > 1 AS more FROM shop.orders o JOIN shop.customers c ON c.id = o.customer_id WHERE id = 'c1' AND total > 1 LIMIT 1"; // oxfmt-ignore
      const row = '0003000000026331ffffffff0000000101';
      expect(await copied(`COPY (${select}) TO STDOUT (FORMAT binary)`)).to.equal(`${head}${row}ffff`);
      expect(await copied(`COPY (${select}) TO STDOUT WITH BINARY`)).to.equal(`${head}${row}ffff`);
      expect(await copied('COPY BINARY shop.customers (id) TO STDOUT')).to.match(new RegExp(`^${head}0001`));
      const none = "COPY (SELECT id FROM shop.customers WHERE id = 'c0') TO STDOUT (FORMAT binary)";
      expect(await copied(none)).to.equal(`${head}ffff`);
      expect(await copied("COPY (SELECT 'c1') TO STDOUT (FORMAT binary)")).to.equal(
        `${head}0001000000026331ffff`,
      );
    } finally {
      raw.destroy();
    }
  });

  it('are stopped by a timeout, and by Ctrl-C: nothing is read a second later', async () => {
    await setFaults(stack, [{ accountId: account.accountId, latencyMs: 300 }]);
    try {
      await client.query("SET statement_timeout = '400ms'");
      await clearRequests(stack, account);
      expect((await errorOf(client.query('SELECT * FROM shop.long'))).code).to.equal('57014');
      const count = async (): Promise<number> => (await requestsOf(stack, account)).length;
      await comesToRest(count, { withinMs: 1_300, quietMs: 1_000 });
      await client.query('RESET statement_timeout');
      const { stderr } = await psql(
        connectionUrl(stack, tenant.credentials),
        'SELECT * FROM shop.long;\nSELECT 7 AS alive;\n',
        [],
        // Sleeps: psql has sent its statement by then.
        (kill) => void sleep(1_000).then(() => kill('SIGINT')),
      );
      expect(stderr).to.include('canceling statement due to user request');
    } finally {
      await setFaults(stack, []);
    }
    expect((await client.query('SELECT 7 AS alive')).rows).to.deep.equal([{ alive: '7' }]);
  });

  it('count as one request each, with the rows that were taken', async () => {
    expect(
      await counted(async () => {
        await client.query('SELECT id FROM shop.customers ORDER BY id LIMIT 2');
        await client.query('SELECT id FROM shop.customers WHERE id = $1', ['c1']);
        await client.query('BEGIN; COMMIT; SHOW search_path');
        await errorOf(client.query('SELECT CAST(id AS INTEGER) FROM shop.customers'));
        const cursor = client.query(new Cursor('SELECT id FROM shop.customers'));
        await cursor.read(1);
        await cursor.close();
      }),
    ).to.deep.equal({ requests: 4, rows: 4 });
  });

  it('tell warnings as notices, and read units to whoever asks for them', async () => {
    const notices: string[] = [];
    const listen = ({ severity, message }: { severity?: string | undefined; message?: string | undefined }) =>
      void notices.push(`${severity}: ${message}`);
    client.on('notice', listen);
    await client.query('SET client_min_messages = log');
    await client.query("SELECT name FROM shop.customers WHERE id = 'c1'");
    await client.query('RESET client_min_messages');
    await client.query("SELECT name FROM shop.customers WHERE id = 'c1'");
    client.off('notice', listen);
    expect(notices).to.deep.equal(['LOG: read units: 0.5']);
  });

  it('answer LIMIT 0, and what a statement looks like, without reading', async () => {
    await clearRequests(stack, account);
    const { rows, fields } = await client.query('SELECT * FROM shop.orders LIMIT 0');
    expect([rows.length, fields.length > 2]).to.deep.equal([0, true]);
    const { stdout } = await psql(
      connectionUrl(stack, tenant.credentials),
      'SELECT id, total FROM shop.orders \\gdesc\n',
      [...['--no-align', '--tuples-only']],
    ).catch(() => ({ stdout: '' }));
    void stdout;
    expect(await requestsOf(stack, account)).to.deep.equal([]);
  });
});
