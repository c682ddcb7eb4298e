import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssertionError, expect } from 'chai';
import type { Place, TenantServers } from '../../../src/postgres/servers/tenant-servers.ts';
import { SERVER_CONNECTIONS_MAX } from '../../../src/postgres/servers/limits.ts';
import { ATTACKS } from './support/attacks.ts';
import { catalogTables, knownTable } from './support/known-table.ts';
import { enter, outcome, session, startServers, type Session } from './support/sessions.ts';

/** What an attack may do to the files of its server, bytes. */
const GROWTH_MAX = 32 * 1024 * 1024;
/** A neighbour's statement over catalogs, on any machine. */
const BESIDE_MS_MAX = 2_000;

/** Everything that an ordinary session may switch off is off. */
const OPTIONS = '-c default_transaction_read_only=off -c statement_timeout=500';

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Asks again and again, as long as an attack takes. */
async function beside(neighbour: Session, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  void until.finally(() => (isOver = true));
  let slowest = 0;
  do {
    const began = performance.now();
    await neighbour.query('SELECT count(*) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace');
    slowest = Math.max(slowest, performance.now() - began);
  } while (!isOver);
  return slowest;
}

describe('attacks on servers', () => {
  let servers: TenantServers;
  let attacked: Place;
  let quiet: Place;
  let neighbour: Session;
  let other: Session;

  before(async () => {
    servers = startServers();
    [attacked, quiet] = [await enter(servers, 'a', 'attacked'), await enter(servers, 'b', 'quiet')];
    await attacked.bring(catalogTables([knownTable('orders')]));
    await quiet.bring(catalogTables([knownTable('orders')]));
    await attacked.role('ck_other');
    neighbour = await session(quiet);
    other = await session(attacked, 'ck_other');
    await other.query(`SELECT 'a secret of another client'`);
  });
  after(async () => {
    await Promise.all([neighbour, other].map((one) => one.close()));
    await servers.close();
  });

  for (const { name, statements, must, shows, options = '' } of ATTACKS) {
    it(name, async () => {
      const before = await bytesOf(attacked.socketFolder);
      const run = async (): Promise<void> => {
        const one = await session(attacked, undefined, `${OPTIONS} ${options}`);
        try {
          let rows: readonly (readonly unknown[])[] = [];
          for (const statement of statements) rows = await one.query(statement);
          if (shows !== undefined) expect(rows).to.deep.equal(shows);
        } finally {
          await one.close();
        }
      };
      const running = outcomeOrFailure(run());
      expect(await beside(neighbour, running), 'the neighbour').to.be.lessThan(BESIDE_MS_MAX);
      expect(await running).to.be.oneOf([...must]);
      expect(attacked.ended.aborted, 'its own server goes on').to.equal(false);
      expect((await bytesOf(attacked.socketFolder)) - before).to.be.lessThan(GROWTH_MAX);
      // Its own tenant's other clients go on too.
      expect(await other.query('SELECT 1')).to.deep.equal([[1]]);
    });
  }

  it('a database that is not there, or is the template’s', async () => {
    for (const database of ['postgres', 'template1', 'quiet'])
      expect(await outcome(session({ ...attacked, database })), database).to.equal('3D000');
  });

  it('more connections than there are', async () => {
    const opened: Session[] = [];
    const outcomes = await Promise.all(
      Array.from({ length: SERVER_CONNECTIONS_MAX + 10 }, () =>
        outcome(session(attacked).then((one) => opened.push(one))),
      ),
    );
    expect(new Set(outcomes)).to.deep.equal(new Set(['ok', '53300']));
    await attacked.role('ck_new');
    await attacked.bring(catalogTables([knownTable('orders'), knownTable('late')]));
    await Promise.all(opened.map((one) => one.close()));
    expect(await outcome(session(attacked, 'ck_new').then((one) => one.close()))).to.equal('ok');
  });

  it('left no file outside', async () => {
    for (const path of ['/tmp/penstock-attack', '/tmp/mine'])
      expect(
        await access(path).then(
          () => 'there',
          () => 'not there',
        ),
      ).to.equal('not there');
  });
});

/** What is no error of PostgreSQL's is one of the test's. */
async function outcomeOrFailure(running: Promise<void>): Promise<string> {
  const failures: Error[] = [];
  const came = await outcome(
    running.catch((error: unknown) => {
      if (error instanceof AssertionError) failures.push(error);
      throw error;
    }),
  );
  if (failures[0] !== undefined) throw failures[0];
  return came;
}
