import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Catalog } from '../../../src/postgres/catalog/catalog.ts';
import { createCatalog } from '../../../src/postgres/catalog/create-catalog.ts';
import {
  CATALOG_GROWTH_MB_MAX,
  CATALOG_OFFENSE_MS,
  CATALOG_STATEMENT_MS_MAX,
  CATALOG_STOP_MS_MAX,
} from '../../../src/postgres/catalog/limits.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { testSession } from './support/test-session.ts';

/** It takes no memory, and goes on until its time is over. */
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 999999) a, generate_series(1, 999999) b';

/** The nastiest statements that may be sent: each ends in time, in memory, and hurts nobody else. */
const NASTY: readonly string[] = [
  'SELECT count(*) FROM pg_proc a, pg_proc b, pg_proc c, pg_proc d WHERE a.proname < b.proname AND c.proname > d.proname',
  'SELECT a.*, b.* FROM pg_proc a, pg_proc b, pg_proc c ORDER BY a.prosrc, b.prosrc, c.oid',
  "SELECT string_agg(a.prosrc || b.prosrc, ',') FROM pg_proc a, pg_proc b, pg_proc c",
  'SELECT array_agg(a.proname || b.proname) FROM pg_proc a, pg_proc b, pg_attribute c',
  'SELECT count(*) FROM generate_series(1, 1000000000) a, pg_class',
  ENDLESS,
  "SELECT repeat('x', 1000000000) FROM pg_class",
  "SELECT replace(repeat('x', 900000), 'x', repeat('y', 900000)) FROM pg_class",
  "SELECT lpad('x', 2000000000) FROM pg_class",
  "WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t) SELECT length(s) FROM t, pg_am LIMIT 100",
  'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t, pg_am',
  'WITH RECURSIVE t AS (SELECT oid FROM pg_proc UNION ALL SELECT p.oid FROM pg_proc p, t) SELECT count(*) FROM t',
  "SELECT count(*) FROM pg_proc a, pg_proc b WHERE (a.prosrc || b.prosrc) ~ '((a*)*)*(b+)+(x+x+)+y'",
  "SELECT count(*) FROM pg_proc WHERE prosrc ~ (SELECT repeat('(x{0,900}){0,900}', 400))",
  'SELECT * FROM information_schema.columns a, information_schema.columns b, information_schema.column_privileges c',
  `SELECT ${'('.repeat(150)}1${')'.repeat(150)} FROM pg_class`,
  `SELECT 1${' + 1'.repeat(5000)} FROM pg_class`,
  `SELECT * FROM pg_class WHERE ${Array.from({ length: 2000 }, (_, i) => `relname = 'x${i}'`).join(' OR ')}`,
  `WITH a AS (SELECT * FROM pg_proc)${Array.from({ length: 12 }, (_, i) => `, a${i} AS (SELECT x.* FROM a${i === 0 ? '' : i - 1} x, a${i === 0 ? '' : i - 1} y)`).join('')} SELECT count(*) FROM a11`,
  `SELECT ${'quote_ident('.repeat(40)}relname${')'.repeat(40)} FROM pg_class`,
];

/** A worker that was ended has to be started anew before the next statement, on a busy machine too. */
const STARTS_MS_MAX = 20_000;

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

describe('bounds of statements over system catalogs', function () {
  this.timeout(240_000);
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
    const watch = setInterval(() => (peak = Math.max(peak, workersMb())), 50);
    const neighbor = async (): Promise<void> => {
      while (!isDone) {
        const started = performance.now();
        expect(await outcome("SELECT relname FROM pg_class WHERE relname = 'orders'", 'neighbor')).to.equal(
          '1 rows',
        );
        slowest = Math.max(slowest, performance.now() - started);
        await new Promise((resolve) => setTimeout(resolve, 20));
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

  it('make a tenant wait whose statement ended its worker, and no other', async () => {
    const harmless = 'SELECT amname FROM pg_am';
    await outcome(harmless, 'offender');
    const running = outcome(ENDLESS, 'offender');
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    expect(await running).to.equal('53200');
    expect(await outcome(harmless, 'offender')).to.equal('53400');
    expect(await outcome(harmless, 'innocent')).to.equal('7 rows');
    await new Promise((resolve) => setTimeout(resolve, CATALOG_OFFENSE_MS + 500));
    expect(await outcome(harmless, 'offender')).to.equal('7 rows');
  });
});
