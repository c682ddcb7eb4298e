import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { IS_LONG, SEED, SEED_SHOWN } from '../../../../services/common/test/support/random-budget.ts';
import { until } from '../../../../services/common/test/support/until.ts';
import type { Catalog } from '../../../src/postgres/catalog/catalog.ts';
import { createCatalog } from '../../../src/postgres/catalog/create-catalog.ts';
import {
  CATALOG_GROWTH_MB_MAX,
  CATALOG_OFFENSE_MS,
  CATALOG_STATEMENT_MS_MAX,
  CATALOG_STOP_MS_MAX,
  WORKER_START_MS_MAX,
} from '../../../src/postgres/catalog/limits.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { ENDLESS, MORE_NASTY, SOME_NASTY } from './support/nasty-statements.ts';
import { testSession } from './support/test-session.ts';

/**
 * Each ends in time and in memory, and hurts nobody else. A run takes every fourth, each run others; the long lane all, and
 * `make check-postgres` more of them.
 */
const NASTY: readonly string[] =
  process.env['ALL_NASTY'] === undefined
    ? SOME_NASTY.filter((_, i) => IS_LONG || (i + SEED) % 4 === 0)
    : [...SOME_NASTY, ...MORE_NASTY];

/** A worker that was ended has to be started anew before the next statement, on a busy machine too. */
const STARTS_MS_MAX = WORKER_START_MS_MAX;

/** How often the workers' memory is looked at, and the neighbor asks. */
const LOOK_MS = 200;

/** A figure of each process that this one has started. */
const processTable = (figure: 'rss' | 'pid'): string =>
  execFileSync('ps', ['-o', `${figure}=,args=`, '--ppid', String(process.pid)]).toString();

const workerPids = (): readonly number[] =>
  processTable('pid')
    .split('\n')
    .flatMap((line) => (/catalog\/worker/.test(line) ? [Number.parseInt(line, 10)] : []));

/** Memory of this process's largest worker, MB. */
function workersMb(): number {
  const table = processTable('rss');
  const sizes = table
    .split('\n')
    .flatMap((line) => (/catalog\/worker/.test(line) ? [Number.parseInt(line, 10)] : []));
  return Math.max(0, ...sizes) / 1024;
}

describe(`bounds of statements over system catalogs (${SEED_SHOWN})`, function () {
  this.timeout(240_000 + NASTY.length * 5_000);
  let catalog: Catalog;

  before(async () => {
    catalog = createCatalog();
    await catalog.run('SELECT 1 FROM pg_am', [], [], testSession());
  });
  after(() => catalog.close());

  const outcome = async (sql: string, tenantId: string): Promise<string> => {
    try {
      const { rows } = await catalog.run(sql, [], [], testSession({ tenantId }));
      return `${rows.length} rows`;
    } catch (error) {
      if (error instanceof PgError) return error.fields.code;
      throw error;
    }
  };

  it('end whatever is sent in time and memory, while another tenant is answered', async () => {
    let peak = 0;
    let slowest = 0;
    let isDone = false;
    const watch = setInterval(() => (peak = Math.max(peak, workersMb())), LOOK_MS);
    const neighbor = async (): Promise<void> => {
      while (!isDone) {
        const started = performance.now();
        expect(await outcome("SELECT relname FROM pg_class WHERE relname = 'orders'", 'neighbor')).to.equal(
          '1 rows',
        );
        slowest = Math.max(slowest, performance.now() - started);
        // Sleeps: others use the machine, too.
        await sleep(LOOK_MS);
      }
    };
    const beside = neighbor();
    try {
      for (const [i, sql] of NASTY.entries()) {
        const started = performance.now();
        const code = await outcome(sql, `nasty-${i}`);
        const took = performance.now() - started;
        expect(code, `${code}: ${sql}`).to.match(
          /^(?:\d+ rows|57014|53200|54000|54001|22003|22P02|0A000|42P19)$/,
        );
        expect(took, sql).to.be.lessThan(CATALOG_STATEMENT_MS_MAX + CATALOG_STOP_MS_MAX + STARTS_MS_MAX);
        if (process.env['SHOW_BOUNDS'] !== undefined)
          process.stderr.write(`${code} ${took.toFixed(0)} ms ${sql.slice(0, 90)}\n`);
      }
    } finally {
      isDone = true;
      await beside;
      clearInterval(watch);
    }
    if (process.env['SHOW_BOUNDS'] !== undefined)
      process.stderr.write(`peak ${peak.toFixed(0)} MB, neighbor's slowest ${slowest.toFixed(0)} ms\n`);
    // What a worker has at its start, and half as much again between two looks at it.
    expect(peak).to.be.lessThan(300 + 1.5 * CATALOG_GROWTH_MB_MAX);
    expect(slowest).to.be.lessThan(CATALOG_STATEMENT_MS_MAX + STARTS_MS_MAX);
  });

  it('end a statement with its session', async () => {
    const ending = new AbortController();
    const reason = new PgError({ code: '57014', message: 'canceling statement due to user request' });
    const running = catalog.run(ENDLESS, [], [], testSession({ tenantId: 'cancel', signal: ending.signal }));
    setTimeout(() => ending.abort(reason), 300);
    const started = performance.now();
    const error = await running.then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(error).to.equal(reason);
    expect(performance.now() - started).to.be.lessThan(3_000);
  });

  it('send a statement to another worker whose own was gone before it took it up', async () => {
    const harmless = 'SELECT amname FROM pg_am';
    await outcome(harmless, 'unlucky');
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    // Nobody has heard of their end yet.
    expect(await outcome(harmless, 'unlucky')).to.equal('7 rows');
  });

  it('make a tenant wait whose statement ended its worker, and no other', async () => {
    const harmless = 'SELECT amname FROM pg_am';
    await outcome(harmless, 'offender');
    const running = outcome(ENDLESS, 'offender');
    // Sleeps: the worker is at work on the statement by then.
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    expect(await running).to.equal('53200');
    expect(await outcome(harmless, 'offender')).to.equal('53400');
    expect(await outcome(harmless, 'innocent')).to.equal('7 rows');
    await until(async () => (await outcome(harmless, 'offender')) === '7 rows', {
      timeoutMs: CATALOG_OFFENSE_MS + 500,
      what: 'the tenant is answered again',
    });
  });
});
