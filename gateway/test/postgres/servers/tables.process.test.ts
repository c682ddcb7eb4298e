import { expect } from 'chai';
import { DDL_RETRY_MS } from '../../../src/postgres/servers/limits.ts';
import type { Place, TenantServers } from '../../../src/postgres/servers/tenant-servers.ts';
import { cutName } from '../../../src/postgres/servers/tables/names.ts';
import { until } from '../../../../services/common/test/support/until.ts';
import { SEED } from '../../../../services/common/test/support/random-budget.ts';
import { hostileNames } from './support/hostile-names.ts';
import { attribute, catalogTables, index, key, knownTable } from './support/known-table.ts';
import { enter, outcome, session, startServers, type Session } from './support/sessions.ts';

const COLUMNS = `SELECT table_name, string_agg(column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END, ', ' ORDER BY ordinal_position)
  FROM information_schema.columns WHERE table_schema = 'shop' GROUP BY 1 ORDER BY 1`;
const INDEXES = `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'shop' ORDER BY 1`;
const OIDS = `SELECT relname, oid FROM pg_class WHERE relnamespace = 'shop'::regnamespace ORDER BY 1`;

describe('a tenant’s tables in its server', () => {
  let servers: TenantServers;
  let place: Place;
  let client: Session;

  before(async () => {
    servers = startServers();
    place = await enter(servers, 'a');
    client = await session(place);
  });
  after(async () => {
    await client.close();
    await servers.close();
  });

  const orders = (parts: Parameters<typeof knownTable>[1] = {}) =>
    knownTable('orders', {
      keys: [key('customer'), key('at', 'N')],
      indexes: [index('by_total', key('total', 'N'), key('customer'))],
      attributes: [attribute('total', 'N'), attribute('lines', 'L'), attribute('paid', 'BOOL')],
      ...parts,
    });

  it('have columns, keys, indexes, comments and estimates, and are empty', async () => {
    await place.bring(catalogTables([orders(), knownTable('new')], ['shop', 'empty']));
    expect(await client.query(COLUMNS)).to.deep.equal([
      ['new', 'pk text not null'],
      ['orders', 'customer text not null, at numeric not null, lines jsonb, paid boolean, total numeric'],
    ]);
    expect(await client.query(INDEXES)).to.deep.equal([
      ['by_total', 'CREATE INDEX by_total ON shop.orders USING btree (total, customer)'],
      ['new_pkey', 'CREATE UNIQUE INDEX new_pkey ON shop.new USING btree (pk)'],
      ['orders_pkey', 'CREATE UNIQUE INDEX orders_pkey ON shop.orders USING btree (customer, at)'],
    ]);
    const usage = (view: string) =>
      `SELECT * FROM information_schema.${view} WHERE table_schema = 'shop' ORDER BY 3, 4`;
    expect(await client.query(usage('constraint_column_usage'))).to.deep.equal([
      ['penstock', 'shop', 'new', 'pk', 'penstock', 'shop', 'new_pkey'],
      ['penstock', 'shop', 'orders', 'at', 'penstock', 'shop', 'orders_pkey'],
      ['penstock', 'shop', 'orders', 'customer', 'penstock', 'shop', 'orders_pkey'],
    ]);
    expect(await client.query(usage('constraint_table_usage'))).to.deep.equal([
      ['penstock', 'shop', 'new', 'penstock', 'shop', 'new_pkey'],
      ['penstock', 'shop', 'orders', 'penstock', 'shop', 'orders_pkey'],
    ]);
    expect(
      await client.query(
        `SELECT reltuples, obj_description(oid), col_description(oid, 1) FROM pg_class WHERE oid = 'shop.orders'::regclass`,
      ),
    ).to.deep.equal([
      [
        100,
        'DynamoDB table, described at 2026-11-29T00:00:00Z; columns are what 10 sampled items hold.',
        'Partition key, of DynamoDB type S.',
      ],
    ]);
    expect(await client.query('SELECT * FROM shop.orders')).to.be.empty;
    expect(await client.query(`SELECT count(*) FROM pg_namespace WHERE nspname = 'empty'`)).to.deep.equal([
      ['1'],
    ]);
    expect(
      await client.query(
        `SELECT DISTINCT a.attstorage = t.typstorage FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid WHERE attrelid = 'shop.orders'::regclass AND attnum > 0`,
      ),
      'stored as PostgreSQL would',
    ).to.deep.equal([[true]]);
  });

  it('change where they changed, and are the same relations then', async () => {
    await place.bring(catalogTables([orders(), knownTable('same')]));
    const before = new Map((await client.query(OIDS)).map(([name, oid]) => [name, oid]));
    await place.bring(
      catalogTables([
        orders({
          attributes: [attribute('total', 'S'), attribute('paid', 'BOOL'), attribute('added', 'B')],
          indexes: [index('by_paid', key('paid'))],
          itemCount: 7_000_000_000,
          describedAt: 'later',
        }),
        knownTable('same'),
      ]),
    );
    const after = new Map((await client.query(OIDS)).map(([name, oid]) => [name, oid]));
    expect(await client.query(COLUMNS)).to.deep.equal([
      ['orders', 'customer text not null, at numeric not null, paid boolean, total text, added bytea'],
      ['same', 'pk text not null'],
    ]);
    for (const name of ['orders', 'same', 'orders_pkey', 'same_pkey'])
      expect(after.get(name)).to.equal(before.get(name));
    expect([...after.keys()])
      .to.include('by_paid')
      .and.not.to.include('by_total');
    expect(
      await client.query(
        `SELECT reltuples, obj_description(oid) FROM pg_class WHERE oid = 'shop.orders'::regclass`,
      ),
    ).to.deep.equal([
      [7_000_000_000, 'DynamoDB table, described at later; columns are what 10 sampled items hold.'],
    ]);
  });

  it('are made anew where their key is another, and go with their schema', async () => {
    await place.bring(
      catalogTables([orders({ keys: [key('id', 'B')] }), knownTable('x', { schemaName: 'public' })]),
    );
    expect((await client.query(COLUMNS))[0]).to.deep.equal([
      'orders',
      'id bytea not null, customer text, lines jsonb, paid boolean, total numeric',
    ]);
    await place.bring(catalogTables([]));
    expect(
      await client.query(`SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1`),
    ).to.deep.equal([['information_schema'], ['public']]);
    expect(await client.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).to
      .be.empty;
  });

  it('stay as they were while a session’s locks are in the way, without a wait for each statement', async () => {
    await place.bring(catalogTables([orders()]));
    await client.query('BEGIN; SELECT * FROM shop.orders');
    const wanted = catalogTables([orders({ attributes: [] }), knownTable('beside')]);
    await place.bring(wanted);
    expect((await client.query(COLUMNS))[0]?.[1]).to.include('lines jsonb');
    const began = performance.now();
    for (let i = 0; i < 20; i++) await place.bring(wanted);
    expect(performance.now() - began).to.be.lessThan(DDL_RETRY_MS);
    await client.query('ROLLBACK');
    await until(async () => {
      await place.bring(wanted);
      return (await client.query(COLUMNS)).length === 2;
    });
    expect((await client.query(COLUMNS)).map(([name]) => name)).to.deep.equal(['beside', 'orders']);
  });

  it('come once for all who ask at a time, and the last version wins', async () => {
    const versions = Array.from({ length: 6 }, (_, i) => catalogTables([knownTable(`t${i}`)]));
    await Promise.all(versions.flatMap((one) => [place.bring(one), place.bring(one)]));
    await place.bring(versions[5]!);
    expect((await client.query(COLUMNS)).map(([name]) => name)).to.deep.equal(['t5']);
  });

  it('are not there for who may not see them', async () => {
    const blind = await servers.enter({ tenantId: 'a', seesTables: false, database: 'penstock' });
    await blind.role('ck_blind');
    await blind.bring(catalogTables([orders()]));
    const one = await session(blind, 'ck_blind');
    expect(await outcome(one.query('SELECT * FROM shop.orders'))).to.equal('42P01');
    await one.close();
    blind.leave();
  });

  it('have the digits of numbers that their sessions began with, in a server of their own', async () => {
    const digits = { precision: 38, scale: 9 };
    const own = await servers.enter({ tenantId: 'a', seesTables: true, database: 'penstock', digits });
    expect(own.socketPath).to.not.equal(place.socketPath);
    await own.role('ck_digits');
    await own.bring(catalogTables([orders()]));
    const one = await session(own, 'ck_digits');
    const types = `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = 'shop.orders'::regclass AND attnum > 0 ORDER BY attnum`;
    expect(await one.query(types)).to.deep.equal([
      ...[
        ['customer', 'text'],
        ['at', 'numeric(38,9)'],
        ['lines', 'jsonb'],
        ['paid', 'boolean'],
      ],
      ['total', 'numeric(38,9)'],
    ]);
    await one.close();
    own.leave();
  });

  it('survive more changes of columns than PostgreSQL counts for one table', async () => {
    const many = (from: number) =>
      knownTable('churn', {
        attributes: Array.from({ length: 1_000 }, (_, i) => attribute(`a${from + i}`, 'S')),
      });
    for (const from of [0, 1_000, 2_000]) await place.bring(catalogTables([many(from)]));
    expect((await client.query(COLUMNS))[0]?.[1]).to.match(/^pk text not null, a2000 text, .* a2999 text$/);
    const some = (from: number) =>
      knownTable('churn', {
        attributes: Array.from({ length: 25 }, (_, i) => attribute(`a${from + i}`, 'S')),
      });
    for (let from = 0; from < 1_700; from += 25) await place.bring(catalogTables([some(from)]));
    expect((await client.query(COLUMNS))[0]?.[1]).to.match(/^pk text not null, a1675 text, .* a1699 text$/);
  });

  it('have any name, and no name does anything', async () => {
    const names = hostileNames(5_000, SEED);
    const schemas = names.slice(0, 20).filter((name) => name !== 'public' && !name.startsWith('pg_'));
    const tables = names.slice(20, 120).map((name, i) =>
      knownTable(name, {
        schemaName: schemas[i % schemas.length] ?? '',
        attributes: names.slice(120 + i * 48, 168 + i * 48).map((one) => attribute(one, 'S')),
        indexes: [index(names[5_000 - 1 - i] ?? '', key(names[120 + i * 48] ?? ''))],
      }),
    );
    const system = `SELECT count(*) FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace`;
    const before = await client.query(system);
    await place.bring(catalogTables(tables, schemas));
    expect(await client.query(system)).to.deep.equal(before);
    const shown = await client.query(
      `SELECT count(DISTINCT relnamespace), count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace IN
         (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')`,
    );
    expect(shown).to.deep.equal([[String(schemas.length), '100']]);
    const found = new Set(
      (await client.query(`SELECT relname FROM pg_class WHERE relkind = 'r'`)).map(([name]) => name),
    );
    const cut = tables.filter(({ tableName }) => found.has(cutName(tableName)));
    // All but those that were cut to the same.
    expect(cut.length).to.be.at.least(95);
    const [[columns] = []] = await client.query(
      `SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace IN
         (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'))`,
    );
    expect(Number(columns)).to.be.at.least(4_700);
    await place.bring(catalogTables([]));
    expect(await client.query(system)).to.deep.equal(before);
  });
});
