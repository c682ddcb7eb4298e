/** A tenant over our endpoint, and PostgreSQL with the same rows in its tables. */
import pg from 'pg';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectOwner } from '../../../src/postgres/servers/owner-connection.ts';
import { createTenantServers } from '../../../src/postgres/servers/tenant-servers.ts';
import { recovers } from '../../chaos/recovers.ts';
import { newShop, seedShop } from '../support/shop.ts';
import { sharedStack } from '../support/stack.ts';
import { AS_TEXT, connected, ended } from './connect.ts';

/** Rows that `seedShop` puts into tables, of the types under which they are announced. */
const SAME_ROWS = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.customers (id text PRIMARY KEY, name text, city text, vip boolean, address jsonb);
  CREATE TABLE shop.orders (customer_id text, no numeric, status text, total numeric, PRIMARY KEY (customer_id, no));
  INSERT INTO shop.customers VALUES ('c1', 'Ada m', 'Lyon', true, NULL), ('c2', 'Bob m', 'Porto', NULL, NULL),
    ('c3', 'Cyd m', NULL, NULL, '{"zip":"1000"}');
  INSERT INTO shop.orders VALUES ('c1', 1, 'NEW', 10.5), ('c1', 2, 'PAID', 20),
    ('c2', 1, 'PAID', 12345678901234567890.5), ('c9', 1, 'NEW', 7);
  GRANT USAGE ON SCHEMA shop TO PUBLIC`;

export interface Beside {
  readonly ours: pg.Client;
  readonly theirs: pg.Client;
  readonly close: () => Promise<void>;
}

export async function besidePostgres(): Promise<Beside> {
  const stack = await sharedStack();
  const { tenant, account } = await newShop(stack, seedShop);
  for (const table of ['customers', 'orders']) await tenant.query(`SELECT * FROM shop.${table}`);
  const ours = await connected(stack, tenant.credentials);
  await recovers(
    async () => (await ours.query("SELECT 1 FROM pg_class WHERE relname = 'orders'")).rowCount === 1,
  );
  const servers = createTenantServers({ logger: createLogger({ service: 'test', level: 'error' }) });
  const place = await servers.enter({ tenantId: 'beside', seesTables: true, database: 'penstock' });
  const owner = await connectOwner(place.socketFolder, place.database);
  await owner.run(SAME_ROWS);
  await owner.close();
  await place.role('beside');
  const { socketFolder: host, database } = place;
  const theirs = new pg.Client({ host, user: 'beside', database, types: AS_TEXT });
  await theirs.connect();
  return {
    ...{ ours, theirs },
    async close() {
      await ended(ours, theirs);
      await servers.close();
      account.close();
    },
  };
}

/** All that a client sees of a statement: names, types and rows, or SQLSTATE and words. */
export async function seen(client: pg.Client, text: string): Promise<unknown> {
  const config = {
    text,
    values: [],
    rowMode: 'array',
    queryMode: 'extended',
  } as unknown as pg.QueryArrayConfig;
  try {
    const { rows, fields } = await client.query(config);
    return {
      fields: fields.map(({ name, dataTypeID, dataTypeModifier }) => [name, dataTypeID, dataTypeModifier]),
      rows,
    };
  } catch (error) {
    return error instanceof pg.DatabaseError ? `${error.code} ${error.message}` : error;
  }
}

/** A statement of one row. */
export const ofAnOrder = (written: string): string =>
  `SELECT ${written} FROM shop.orders WHERE customer_id = 'c1' AND no = 1`;
