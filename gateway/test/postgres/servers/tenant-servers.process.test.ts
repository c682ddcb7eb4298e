import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { processFacts, processesNamed, signalProcess } from '../../../src/postgres/servers/processes.ts';
import {
  createTenantServers,
  type Place,
  type TenantServers,
} from '../../../src/postgres/servers/tenant-servers.ts';
import { CLIENT, enter, outcome, quietLogger, session, startServers } from './support/sessions.ts';

/** The number of the server's main process. */
async function mainProcess(place: Place): Promise<number> {
  const one = await session(place);
  const parent = processFacts(one.pid)?.parent ?? 0;
  await one.close();
  return parent;
}

const codeOf = (error: unknown): string => (error instanceof PgError ? error.fields.code : String(error));
const refusal = (of: Promise<unknown>): Promise<string> => of.then(() => 'none', codeOf);

/** It works for minutes and keeps little: a series of so many rows would end at the limit of its files. */
const ENDLESS =
  'SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b, generate_series(1, 3000) c';

describe('servers of tenants', () => {
  let servers: TenantServers;

  beforeEach(() => {
    servers = startServers({ SERVERS_MAX: 3, SERVERS_PER_TENANT_MAX: 2, SERVER_START_PAUSE_MS: 200 });
  });
  afterEach(() => servers.close());

  it('are one for a tenant, a view of tables and a database, which all share', async () => {
    const places = await Promise.all([
      enter(servers, 'a', 'one'),
      enter(servers, 'a', 'one'),
      servers.enter({ tenantId: 'a', seesTables: false, database: 'one' }),
      enter(servers, 'b', 'one'),
    ]);
    expect(new Set(places.map(({ socketPath }) => socketPath)).size).to.equal(3);
    expect(places[0]?.socketPath).to.equal(places[1]?.socketPath);
    expect(servers.figures()).to.include({ running: 3, inUse: 3 });
    expect(processFacts(await mainProcess(places[0]))?.parent, 'a child of this process').to.equal(
      process.pid,
    );
  });

  it('have the database that the client asks for, cut as PostgreSQL cuts, and know its role', async () => {
    const name = `It's "mine" \\ ${'é'.repeat(40)}`;
    const place = await enter(servers, 'a', name);
    await Promise.all([place.role(CLIENT), place.role('another')]);
    expect(Buffer.byteLength(place.database)).to.be.within(62, 63);
    const one = await session(place);
    expect(await one.query('SELECT current_database(), current_user')).to.deep.equal([
      [place.database, CLIENT],
    ]);
    expect(await one.query('SELECT datname FROM pg_database')).to.deep.equal([[place.database]]);
    await one.close();
    for (const reserved of ['penstock', 'penstock_planner', 'pg_monitor', 'public', 'none', ''])
      expect(await refusal(place.role(reserved)), reserved).to.equal('42939');
  });

  it('go, the one that is idle longest first, of the tenant that wants another', async () => {
    const [first, second] = [await enter(servers, 'a', 'one'), await enter(servers, 'a', 'two')];
    const other = await enter(servers, 'b');
    expect(await refusal(enter(servers, 'a', 'three')), 'both are in use').to.equal('53300');
    other.leave();
    expect(await refusal(enter(servers, 'a', 'three')), 'another tenant’s stays').to.equal('53300');
    second.leave();
    first.leave();
    const third = await enter(servers, 'a', 'three');
    expect([first.ended.aborted, second.ended.aborted, other.ended.aborted]).to.deep.equal([
      false,
      true,
      false,
    ]);
    third.leave();
  });

  it('go, the one that is idle longest first, where there are too many in all', async () => {
    const places = [await enter(servers, 'a'), await enter(servers, 'b'), await enter(servers, 'c')];
    expect(await refusal(enter(servers, 'd'))).to.equal('53300');
    places[1]?.leave();
    const fourth = await enter(servers, 'd');
    expect(places.map(({ ended }) => ended.aborted)).to.deep.equal([false, true, false]);
    expect(fourth.ended.aborted).to.equal(false);
  });

  it('end when nobody has used them for a while, with their files and processes', async () => {
    const short = startServers({ SERVER_IDLE_MS: 100 });
    try {
      const place = await enter(short, 'a');
      const main = await mainProcess(place);
      place.leave();
      (await enter(short, 'a')).leave();
      await until(() => place.ended.aborted && short.figures().running === 0);
      await until(async () =>
        (await readdir(dirname(place.socketFolder))).every((name) => !place.socketFolder.endsWith(name)),
      );
      expect(processFacts(main)).to.equal(null);
    } finally {
      await short.close();
    }
  });

  it('tell those who use them when they end by themselves, leave nothing, and start anew', async () => {
    const place = await enter(servers, 'a');
    const beside = await enter(servers, 'b');
    const one = await session(place);
    const working = outcome(one.query(ENDLESS));
    const name = place.socketFolder.split('/').slice(-2).join('/');
    signalProcess(await mainProcess(place), 'SIGKILL');
    expect(await working).to.equal('gone');
    await until(() => place.ended.aborted);
    expect((place.ended.reason as PgError).fields).to.include({ code: '57P01', severity: 'FATAL' });
    await until(() => processesNamed(name).length === 0);
    expect(await refusal(place.role('late'))).to.equal('57P01');
    const again = await enter(servers, 'a');
    expect(again.socketPath).not.to.equal(place.socketPath);
    expect(await outcome(session(again).then((next) => next.close()))).to.equal('ok');
    expect(beside.ended.aborted).to.equal(false);
  });

  it('end whole where one of their processes is killed', async () => {
    const place = await enter(servers, 'a');
    const one = await session(place);
    signalProcess(one.pid, 'SIGKILL');
    await one.gone;
    await until(() => place.ended.aborted);
  });

  it('are not started again and again where they cannot start', async () => {
    const { logger, lines } = quietLogger();
    const broken = createTenantServers({
      logger,
      builtFolder: '/nowhere',
      limits: { SERVER_START_PAUSE_MS: 200 },
    });
    const refusals = await Promise.all(Array.from({ length: 5 }, () => refusal(enter(broken, 'a'))));
    expect([...refusals, await refusal(enter(broken, 'a'))]).to.deep.equal(Array(6).fill('57P03'));
    expect(lines).to.have.length(1);
    await until(async () => (await refusal(enter(broken, 'a'))) === '57P03' && lines.length === 2);
    await broken.close();
    expect(await refusal(enter(broken, 'a'))).to.equal('57P03');
  });

  it('leave no file when all is closed', async () => {
    const place = await enter(servers, 'a');
    await servers.close();
    expect(await readdir(dirname(place.socketFolder)).catch(() => 'gone')).to.equal('gone');
    expect(place.ended.aborted).to.equal(true);
  });
});
