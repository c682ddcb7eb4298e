import { getPriority } from 'node:os';
import { expect } from 'chai';
import { until } from '../../../../../services/common/test/support/until.ts';
import { BUSY_NICENESS, SERVER_NICENESS } from '../../../../src/postgres/servers/limits.ts';
import type { Place, TenantServers } from '../../../../src/postgres/servers/tenant-servers.ts';
import { enter, outcome, session, startServers, type Session } from '../support/sessions.ts';

const MEGABYTE = 1024 * 1024;

/** A statement that works until it is stopped, and takes no memory. */
const WORK = 'SELECT count(*) FROM pg_proc, pg_proc b, pg_proc c';

/** One that hears of no cancel: libxml works at it for minutes. */
const DEAF = `SELECT xpath('//a[count(//a[count(//a) > 0]) > 0]', ('<r>' || repeat('<a/>', 3000) || '</r>')::xml)`;

describe('the watch over servers', () => {
  let servers: TenantServers;
  let place: Place;
  let beside: Session;
  let neighbour: Session;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  const start = async (limits: Parameters<typeof startServers>[0]): Promise<void> => {
    servers = startServers({
      ...{ SERVER_BYTES_MAX: 100 * MEGABYTE, ALL_SERVERS_BYTES_MAX: 1_000 * MEGABYTE },
      // Nothing is made to wait for others: the machine may have no time left at all for it.
      ...{ WATCH_MS: 100, STATEMENT_CPU_MS_MAX: 600, OBEY_MS_MAX: 500, BUSY_CPU_MS: Infinity, ...limits },
    });
    const quiet = await enter(servers, 'b');
    place = await enter(servers, 'a');
    [beside, neighbour] = [await session(place), await session(quiet)];
  };
  afterEach(async () => {
    if (neighbour !== undefined && servers.figures().running > 0)
      expect(await neighbour.query('SELECT 1'), 'another tenant’s session').to.deep.equal([[1]]);
    await servers.close();
  });

  it('says what all servers take', async () => {
    await start({});
    await until(() => servers.figures().bytes > 0);
    expect(servers.figures().bytes / MEGABYTE).to.be.within(5, 80);
  });

  it('ends the session that takes too much memory, and no other', async () => {
    await start({});
    const one = await session(place, undefined, '-c work_mem=2GB');
    expect(
      await outcome(
        one.query('SELECT count(x) FROM (SELECT array_agg(i) x FROM generate_series(1, 12000000) i) y'),
      ),
    ).to.equal('57P01');
    expect(servers.figures().endedForMemory).to.equal(1);
    expect(await beside.query('SELECT 1')).to.deep.equal([[1]]);
    expect(place.ended.aborted).to.equal(false);
  });

  it('lets a session that works all the time run after all others', async () => {
    await start({ BUSY_CPU_MS: 100, STATEMENT_CPU_MS_MAX: 60_000 });
    expect(getPriority(beside.pid)).to.equal(SERVER_NICENESS);
    const working = outcome(beside.query(WORK));
    await until(() => getPriority(beside.pid) === BUSY_NICENESS);
    await servers.close();
    expect(await working).to.equal('gone');
  });

  it('cancels a statement that works for too long, and leaves its session', async () => {
    await start({});
    const one = await session(place);
    expect(await outcome(one.query(WORK))).to.equal('57014');
    expect(await one.query('SELECT 1')).to.deep.equal([[1]]);
    expect(place.ended.aborted).to.equal(false);
  });

  it('ends the server of a statement that hears of no cancel', async () => {
    await start({});
    const one = await session(place, undefined, '-c statement_timeout=100');
    expect(await outcome(one.query(DEAF))).to.equal('gone');
    await beside.gone;
    expect(place.ended.aborted).to.equal(true);
    await until(() => servers.figures().endedForTime === 1);
  });

  it('leaves a session alone that works at many short statements', async () => {
    await start({});
    const began = performance.now();
    for (let outcomes = 'ok'; performance.now() - began < 1_300 && outcomes === 'ok';)
      expect(
        (outcomes = await outcome(beside.query('SELECT count(*) FROM pg_proc, generate_series(1, 20)'))),
      ).to.equal('ok');
  });
});
