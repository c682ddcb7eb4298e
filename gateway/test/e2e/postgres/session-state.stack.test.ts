/** What a session of a PostgreSQL client has set and prepared is its server's to keep, and stays while it says nothing. */
import { expect } from 'chai';
import pg from 'pg';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { recovers } from '../../chaos/recovers.ts';
import { newShop, seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';
import { connected, ended } from './connect.ts';

const ROWS = 'SELECT id FROM shop.customers ORDER BY id';

describe("the state of PostgreSQL clients' sessions", function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let watcher: pg.Client;
  const clients: pg.Client[] = [];

  const connect = async (more: pg.ClientConfig = {}): Promise<pg.Client> => {
    const client = await connected(stack, tenant.credentials, more);
    clients.push(client);
    return client;
  };
  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, seedShop));
    watcher = await connect();
  });
  after(async () => {
    await ended(...clients);
    account.close();
  });

  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'answered',
      (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)),
    );
  const one = async (client: pg.Client, sql: string): Promise<unknown> =>
    Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
  /** Whether a backend is there, as another session sees it. */
  const isThere = async (pid: unknown): Promise<boolean> =>
    (await one(watcher, `SELECT count(*) FROM pg_stat_activity WHERE pid = ${Number(pid)}`)) === '1';
  /** A session's backend has been given back, since it says nothing. */
  const parked = (pid: unknown): Promise<void> => recovers(async () => !(await isThere(pid)));

  it('stays while a session is without a backend: settings, and statements that were prepared', async () => {
    const client = await connect({ application_name: 'parked' });
    await client.query(
      "SET search_path = shop, public; SET statement_timeout = '7s'; SET penstock.max_read_units = 3",
    );
    const named = {
      name: 'n',
      text: 'SELECT relname FROM pg_class WHERE relname = $1',
      values: ['pg_class'],
    };
    expect((await client.query(named)).rowCount).to.equal(1);
    const before = await one(client, 'SELECT pg_backend_pid()');
    await parked(before);
    expect(await one(client, 'SHOW search_path')).to.equal('shop, public');
    expect(await one(client, 'SHOW statement_timeout')).to.equal('7s');
    expect(await one(client, 'SHOW penstock.max_read_units')).to.equal('3');
    expect(await one(client, 'SHOW application_name')).to.equal('parked');
    expect((await client.query(named)).rowCount).to.equal(1);
    expect(await one(client, 'SELECT pg_backend_pid()')).to.not.equal(before);
    expect((await client.query('SELECT id FROM customers')).rowCount).to.equal(3);
  });

  it('that is more than settings keeps its backend: the session’s own names, what SQL prepared, locks', async () => {
    const kept: (readonly [pg.Client, unknown])[] = [];
    for (const sql of [
      "SET my.own = 'x'",
      'PREPARE p AS SELECT relname FROM pg_class LIMIT 1',
      'SELECT pg_advisory_lock(1)',
      'BEGIN',
      "SET idle_session_timeout = '1h'",
    ]) {
      const client = await connect();
      await client.query(sql);
      kept.push([client, await one(client, 'SELECT pg_backend_pid()')]);
    }
    const plain = await connect();
    await parked(await one(plain, 'SELECT pg_backend_pid()'));
    for (const [client, pid] of kept) expect(await one(client, 'SELECT pg_backend_pid()')).to.equal(pid);
    expect(await one(kept[0]![0], "SELECT current_setting('my.own')")).to.equal('x');
    expect((await kept[1]![0].query('EXECUTE p')).rowCount).to.equal(1);
  });

  it('is set by whatever PostgreSQL takes, when a session starts too, and statements over tables go by it', async () => {
    const client = await connect({
      options: '-c statement_timeout=9s -c search_path=shop -c TimeZone=Europe/Berlin',
    });
    expect(await one(client, 'SHOW statement_timeout')).to.equal('9s');
    expect(await one(client, 'SHOW timezone')).to.equal('Europe/Berlin');
    expect((await client.query('SELECT id FROM customers')).rowCount).to.equal(3);
    await client.query("SELECT set_config('search_path', 'elsewhere', false)");
    expect(await one(client, 'SHOW search_path')).to.equal('elsewhere');
    await client.query('DISCARD ALL');
    expect(await one(client, 'SHOW search_path')).to.equal('shop');
    expect((await client.query('SELECT id FROM customers')).rowCount).to.equal(3);
    expect(await codeOf(connect({ options: '-c statement_timeout=soon' }))).to.equal('22023');
    expect(await codeOf(connect({ options: '-c no_such_setting=1' }))).to.equal('42704');
  });

  it('that statements over tables cannot be answered by is refused by name, and PostgreSQL’s own go on', async () => {
    for (const [set, reset] of [
      ["SET client_encoding = 'LATIN1'", 'RESET client_encoding'],
      ["SET DateStyle = 'German'", 'RESET DateStyle'],
    ]) {
      const client = await connect();
      await client.query(set!);
      expect(await codeOf(client.query(ROWS)), set).to.equal('0A000');
      expect(await one(client, 'SELECT 1')).to.equal('1');
      await client.query(reset!);
      expect((await client.query(ROWS)).rowCount).to.equal(3);
    }
    const client = await connect();
    await client.query("SET penstock.max_read_units = 'many'");
    expect(await codeOf(client.query(ROWS))).to.equal('22023');
  });

  it('is the transaction’s, whoever answers: an error of either fails it, and its end ends cursors', async () => {
    const client = await connect();
    await client.query('BEGIN');
    await client.query('SAVEPOINT a');
    expect(await codeOf(client.query('SELECT nothing FROM shop.customers'))).to.equal('42703');
    expect(await codeOf(client.query(ROWS))).to.equal('25P02');
    await client.query('ROLLBACK TO a');
    expect((await client.query(ROWS)).rowCount).to.equal(3);
    expect(await codeOf(client.query('SELECT 1 / 0'))).to.equal('22012');
    expect(await codeOf(client.query(ROWS))).to.equal('25P02');
    expect((await client.query('COMMIT')).command).to.equal('ROLLBACK');
    // Statements of one query know the transaction that the first of them began.
    expect(await codeOf(client.query(`BEGIN; ${ROWS}; SELECT nothing FROM shop.customers`))).to.equal(
      '42703',
    );
    expect(await codeOf(client.query(ROWS))).to.equal('25P02');
    await client.query(
      `ROLLBACK; BEGIN; DECLARE t CURSOR FOR ${ROWS}; DECLARE c CURSOR FOR SELECT relname FROM pg_class`,
    );
    expect((await client.query('FETCH 2 FROM t')).rowCount).to.equal(2);
    expect((await client.query('FETCH 2 FROM c')).rowCount).to.equal(2);
    await client.query('COMMIT AND CHAIN');
    expect(await codeOf(client.query('FETCH 1 FROM t'))).to.equal('34000');
    await client.query('ROLLBACK');
    expect(await codeOf(client.query('FETCH 1 FROM c'))).to.equal('34000');
  });

  it('ends with its server: the session hears 57P01, others of the tenant go on, and a new one begins', async () => {
    const [busy, quiet] = [await connect(), await connect()];
    await busy.query("SET my.own = 'x'");
    await parked(await one(quiet, 'SELECT pg_backend_pid()'));
    const heard = new Promise<string>((resolve) =>
      busy.once('error', (error) => resolve((error as { code?: string }).code ?? '')),
    );
    const cluster = String(await one(watcher, "SELECT current_setting('cluster_name')"));
    process.kill(Number(await one(busy, 'SELECT pg_backend_pid()')), 'SIGKILL');
    expect(await heard).to.equal('57P01');
    expect((await quiet.query(ROWS)).rowCount).to.equal(3);
    watcher = await connect();
    expect(await one(watcher, "SELECT current_setting('cluster_name')")).to.not.equal(cluster);
    expect(await one(quiet, "SELECT count(*) FROM pg_class WHERE relname = 'customers'")).to.equal('1');
  });
});
