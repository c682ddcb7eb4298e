/** Drivers and ORMs of Node.js with their defaults, as on a user's first day: what they ask when they connect, then queries. */
import { expect } from 'chai';
import { drizzle } from 'drizzle-orm/node-postgres';
import { numeric, pgSchema, text } from 'drizzle-orm/pg-core';
import { and, eq } from 'drizzle-orm';
import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataTypes, Sequelize } from 'sequelize';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { recovers } from '../../chaos/recovers.ts';
import { newShop, seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';
import { connectionUrl } from './connect.ts';

describe('drivers and ORMs with their defaults', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let url: string;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, seedShop));
    for (const table of ['customers', 'orders']) await tenant.query(`SELECT * FROM shop.${table} LIMIT 5`);
    url = connectionUrl(stack, tenant.credentials);
    const client = new pg.Client(url);
    await client.connect();
    // What is listed is a few seconds old at most.
    await recovers(
      async () => (await client.query("SELECT 1 FROM pg_class WHERE relname = 'orders'")).rowCount === 1,
    );
    await client.end();
  });
  after(() => account.close());

  it('postgres.js: types that it looks up, statements that it keeps, transactions', async () => {
    const sql = postgres(url, { max: 2 });
    try {
      const [ada] = await sql`SELECT name FROM shop.customers WHERE id = ${'c1'}`;
      expect(ada?.['name']).to.equal('Ada m');
      const some = await sql`SELECT id FROM shop.customers WHERE id = ANY(${['c1', 'c2']}) ORDER BY id`;
      expect(some.map(({ id }) => id as string)).to.deep.equal(['c1', 'c2']);
      const [row] =
        await sql`SELECT array_agg(id ORDER BY id) AS ids, count(*)::int AS n FROM shop.customers`;
      expect(row).to.deep.equal({ ids: ['c1', 'c2', 'c3'], n: 3 });
      const counted = await sql.begin('READ ONLY', async (inner) => inner`SELECT id FROM shop.customers`);
      expect(counted).to.have.length(3);
      const error = await sql`SELECT nothing FROM shop.customers`.catch((caught: unknown) => caught);
      expect((error as { code?: string }).code).to.equal('42703');
    } finally {
      await sql.end();
    }
  });

  it('Sequelize: its connection, tables that it describes, a model', async () => {
    const sequelize = new Sequelize(url, { logging: false });
    try {
      await sequelize.authenticate();
      const described = await sequelize
        .getQueryInterface()
        .describeTable({ tableName: 'orders', schema: 'shop' });
      expect(described['customer_id']).to.include({ type: 'TEXT', allowNull: false, primaryKey: true });
      const order = sequelize.define(
        'order',
        {
          customer_id: { type: DataTypes.TEXT, primaryKey: true },
          no: { type: DataTypes.DECIMAL, primaryKey: true },
          total: DataTypes.DECIMAL,
        },
        { schema: 'shop', tableName: 'orders', timestamps: false },
      );
      expect(await order.findAll({ where: { customer_id: 'c1' }, order: [['no', 'ASC']] })).to.not.be.empty;
      expect(await order.count()).to.be.greaterThan(0);
    } finally {
      await sequelize.close();
    }
  });

  it('knex: a query that it builds, columns that it looks up', async () => {
    const builder = knex({ client: 'pg', connection: url });
    try {
      const rows = await builder.withSchema('shop').from('customers').where({ id: 'c1' }).select('name');
      expect(rows).to.deep.equal([{ name: 'Ada m' }]);
      const columns = await builder.withSchema('shop').table('orders').columnInfo();
      expect(Object.keys(columns)).to.include.members(['customer_id', 'no', 'total']);
      expect(await builder.schema.withSchema('shop').hasTable('orders')).to.equal(true);
    } finally {
      await builder.destroy();
    }
  });

  it('kysely: a query that it builds, tables that it looks up', async () => {
    const database = new Kysely<{ 'shop.customers': { id: string; name: string } }>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    try {
      const rows = await database
        .selectFrom('shop.customers')
        .select('name')
        .where('id', '=', 'c1')
        .execute();
      expect(rows).to.deep.equal([{ name: 'Ada m' }]);
      const tables = await database.introspection.getTables();
      expect(tables.map(({ schema, name }) => `${schema}.${name}`)).to.include.members([
        'shop.customers',
        'shop.orders',
      ]);
    } finally {
      await database.destroy();
    }
  });

  it('drizzle: a query of tables that it was told of', async () => {
    const pool = new pg.Pool({ connectionString: url });
    const shop = pgSchema('shop');
    const orders = shop.table('orders', { customerId: text('customer_id'), no: numeric(), total: numeric() });
    const customers = shop.table('customers', { id: text(), name: text() });
    try {
      const rows = await drizzle({ client: pool })
        .select({ name: customers.name, no: orders.no })
        .from(orders)
        .innerJoin(customers, eq(customers.id, orders.customerId))
        .where(and(eq(orders.customerId, 'c1')))
        .orderBy(orders.no)
        .limit(1);
      expect(rows).to.have.length(1);
      expect(rows[0]?.name).to.equal('Ada m');
    } finally {
      await pool.end();
    }
  });
});
