/** Large reads that other engines share among their tasks: by `"$segments"`, by `ctid`, and with the digits that they need. */
import { expect } from 'chai';
import pg from 'pg';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf } from '../support/request-log.ts';
import { recovers } from '../../chaos/recovers.ts';
import { newShop, seedShop, seedWide } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { QueryEnvelope, TestTenant } from '../support/tenant.ts';
import { connected, ended, errorOf } from './connect.ts';

const ITEMS = 60;
const TID = 27;
const NUMERIC = 1700;

describe('reads that other engines share among their tasks', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let client: pg.Client;
  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      await seedWide(own, 'wide', ITEMS, 100);
    }));
    await tenant.query("SELECT id FROM shop.wide WHERE id = 'k000001'");
    client = await connected(stack, tenant.credentials);
  });
  after(async () => {
    await ended(client);
    account.close();
  });

  const rowsOf = async (sql: string, values: unknown[] = []): Promise<readonly (readonly string[])[]> =>
    (await client.query<string[]>({ text: sql, values, rowMode: 'array' })).rows;
  /** One client does one thing after the other. */
  const inTurn = async <T>(count: number, work: (i: number) => Promise<T>): Promise<readonly T[]> => {
    const results: T[] = [];
    for (let i = 0; i < count; i++) results.push(await work(i));
    return results;
  };
  const idsOf = (rows: readonly (readonly string[])[]): readonly string[] =>
    rows.map(([id = '']) => id).toSorted();

  it('by ctid as DuckDB, Airbyte and PeerDB ask for it have each row once', async () => {
    const all = idsOf(await rowsOf('SELECT id FROM shop.wide'));
    expect(all).to.have.length(ITEMS);
    const [[pages]] = (await rowsOf(`SELECT relpages FROM pg_class WHERE oid = 'shop.wide'::regclass`)) as [
      [string],
    ];
    expect(pages).to.equal('1024');
    await clearRequests(stack, account);
    const whole = `SELECT "id" FROM "shop"."wide" WHERE ctid BETWEEN '(0,0)'::tid AND '(4294967295,0)'::tid`;
    expect(idsOf(await rowsOf(whole))).to.deep.equal(all);
    expect((await requestsOf(stack, account)).map(({ operation }) => operation)).to.deep.equal(['Scan']);
    const ranges = [
      `ctid BETWEEN '(0,0)'::tid AND '(511,0)'::tid`,
      `ctid BETWEEN '(511,0)'::tid AND '(4294967295,0)'::tid`,
    ];
    const halves = await inTurn(2, (i) => rowsOf(`SELECT id FROM shop.wide WHERE ${ranges[i]}`));
    expect(idsOf(halves.flat())).to.deep.equal(all);
    const ends = ['(0,0)', '(700,0)', '(1024,0)'];
    const byParameters = await inTurn(2, (i) =>
      rowsOf('SELECT id FROM shop.wide WHERE ctid > $1::tid AND ctid <= $2', ends.slice(i, i + 2)),
    );
    expect(idsOf(byParameters.flat())).to.deep.equal(all);
  });

  it('show ctid under its own type, in text and in binary', async () => {
    const sql = 'SELECT ctid, id FROM shop.wide WHERE ctid < $1 ORDER BY ctid';
    const values = ['(64,0)'];
    const text = await client.query<string[]>({ text: sql, values, rowMode: 'array' });
    expect(text.fields.map(({ name, dataTypeID }) => [name, dataTypeID])[0]).to.deep.equal(['ctid', TID]);
    const inBinary = await connected(stack, tenant.credentials, { binary: true } as pg.ClientConfig);
    const { rows } = await inBinary.query<{ readonly ctid: Buffer }>({ text: sql, values });
    await ended(inBinary);
    const places = rows.map(({ ctid }) => `(${ctid.readUInt32BE(0)},${ctid.readUInt16BE(4)})`);
    expect(places).to.deep.equal(text.rows.map(([place]) => place));
    const [first] = text.rows[0]!;
    expect(await rowsOf(`SELECT count(*) FROM shop.wide WHERE ctid = $1`, [first])).to.deep.equal([['1']]);
    expect(
      await rowsOf('SELECT ctid FROM shop.wide WHERE ctid = ANY($1::tid[])', [`{"${first}"}`]),
    ).to.deep.equal([[first]]);
  });

  it('take a part of the table for a sample', async () => {
    await clearRequests(stack, account);
    const rows = await rowsOf('SELECT id FROM shop.wide TABLESAMPLE SYSTEM (25) REPEATABLE (3)');
    expect(rows.length).to.be.within(1, ITEMS / 2);
    expect(await requestsOf(stack, account)).to.have.length(256);
  });

  it('refuse by name what they cannot say', async () => {
    expect((await errorOf(client.query('SELECT min(ctid) FROM shop.wide'))).message).to.include(
      'ctid can be compared',
    );
    expect((await errorOf(client.query('SELECT xmin FROM shop.wide'))).message).to.include('xmin');
  });

  it('by "$segments" have each row once, over REST in pages, too', async () => {
    const all = idsOf(await rowsOf('SELECT id FROM shop.wide'));
    const tasks = await inTurn(4, (task) =>
      rowsOf('SELECT id FROM shop.wide."$segments" WHERE segment >= $1 AND segment < $2', [
        task * 256,
        (task + 1) * 256,
      ]),
    );
    expect(idsOf(tasks.flat())).to.deep.equal(all);
    const paged: string[] = [];
    const sql = 'SELECT id FROM shop.wide."$segments" WHERE segment < 512';
    for (let resumeIdx: number | undefined = 0; resumeIdx !== undefined;) {
      const { body }: { readonly body: QueryEnvelope } = await tenant.call<QueryEnvelope>(
        'POST',
        '/v1/query',
        {
          json: { sql, options: { resumeIdx, maxRows: 7 } },
        },
      );
      paged.push(...body.data!.data.map(([id]) => String(id)));
      ({ resumeIdx } = body.data!);
    }
    expect(paged).to.deep.equal(
      tasks
        .slice(0, 2)
        .flat()
        .map(([id]) => id),
    );
    expect(
      (await client.query('SELECT * FROM shop.wide."$segments" WHERE 1 = 0')).fields.at(-1)?.name,
    ).to.equal('segment');
  });

  it('announce the digits that are asked for, and refuse what does not fit', async () => {
    const own = await connected(stack, tenant.credentials, { options: '-c penstock.numeric=38,9' });
    try {
      const sql = `SELECT total, no FROM shop.orders WHERE customer_id = 'c1' ORDER BY no`;
      const { rows, fields } = await own.query<string[]>({ text: sql, rowMode: 'array' });
      expect(fields.map(({ dataTypeID, dataTypeModifier }) => [dataTypeID, dataTypeModifier])).to.deep.equal([
        [NUMERIC, 38 * 65_536 + 9 + 4],
        [NUMERIC, 38 * 65_536 + 9 + 4],
      ]);
      expect(rows[0]).to.deep.equal(['10.500000000', '1.000000000']);
      // Spark asks for the columns so; PostgreSQL's plan of such a statement has no table.
      const modifiers = async (asked: string, values?: readonly unknown[]): Promise<readonly number[]> =>
        (await own.query(asked, values?.slice())).fields.map(({ dataTypeModifier }) => dataTypeModifier);
      const digits = 38 * 65_536 + 9 + 4;
      expect(await modifiers('SELECT total, status FROM shop.orders WHERE 1=0')).to.deep.equal([digits, -1]);
      expect(
        await modifiers('SELECT * FROM (SELECT sum(no) AS s FROM shop.orders) q WHERE 1=0', []),
      ).to.deep.equal([digits]);
      expect(await modifiers('SELECT max(total) FROM shop.orders WHERE $1 AND false', [true])).to.deep.equal([
        digits,
      ]);
      expect(await modifiers('SELECT 1.5')).to.deep.equal([-1]);
      // Trino makes its columns of what the catalogs say, and leaves numbers of any digits out.
      const shown = async (): Promise<object> => {
        const { rows: types } = await own.query<string[]>({
          text: `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute a
            JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname = 'orders' AND attnum > 0`,
          rowMode: 'array',
        });
        return Object.fromEntries(types) as object;
      };
      await recovers(async () => 'total' in (await shown()));
      expect(await shown()).to.include({
        total: 'numeric(38,9)',
        no: 'numeric(38,9)',
        status: 'text',
      });
      await own.query("SET penstock.numeric = '12,1'");
      expect((await own.query<string[]>({ text: sql, rowMode: 'array' })).rows[0]).to.deep.equal([
        '10.5',
        '1.0',
      ]);
      const large = await errorOf(own.query('SELECT total FROM shop.orders'));
      expect(large).to.be.instanceOf(pg.DatabaseError).with.property('code', '22003');
      await own.query("SET penstock.numeric = ''");
      expect((await own.query(sql)).fields[0]?.dataTypeModifier).to.equal(-1);
      const wrong = own.query("SET penstock.numeric = 'many'").then(() => own.query(sql));
      expect(await errorOf(wrong)).to.have.property('code', '22023');
    } finally {
      await ended(own);
    }
  });
});
