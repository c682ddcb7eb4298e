/**
 * `make check-postgres`: real clients against a whole stack, and whatever else of the PostgreSQL endpoint takes too long for
 * CI. Usage: main.ts [--only clients|engines|servers|rows|large] [--count N] [--seed N]. A client that cannot be had is said aloud;
 * what it sends to look around is replayed all the same (captured). Ends with 1 where something is not as it should be.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { discardStack, startTestStack } from '../../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema } from '../../e2e/support/tenant.ts';
import { tryForeignTables } from './fdw.ts';
import {
  findEngines,
  findJava,
  findOdbc,
  findPerl,
  findPrisma,
  findTrino,
  findPython,
  findRuby,
  findServer,
  type Found,
} from './installed.ts';
import { tryLarge } from './large.ts';
import { tryOdbc } from './odbc.ts';
import { runProgram, type Tried } from './programs.ts';
import { tryPsql } from './psql.ts';
import { byNodePostgres, byProgram, byPsql, byRest } from './same-rows/ask.ts';
import { compareWays } from './same-rows/run.ts';
import { differentialStatements, makeTables } from './same-rows/statements.ts';
import { seedClientTables } from './tables.ts';
import { targetOf, type Target } from './target.ts';

const SHOWN_MAX = 20;
const HERE = import.meta.dirname;
const REPOSITORY = join(HERE, '../../../..');
const PYTHON = join(HERE, 'python');
const JAVA = ['Checks', 'Rows', 'Large'].map((name) => join(HERE, 'pgjdbc', `${name}.java`));

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '7' },
  },
});

let failed = 0;
const missing: string[] = [];
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function tell(what: string, tried: readonly Tried[]): void {
  const wrong = tried.filter(({ failure }) => failure !== null);
  failed += wrong.length;
  say(`${what}: ${tried.length - wrong.length} of ${tried.length} as they should be`);
  for (const { name, failure } of wrong) say(`  FAILED ${name}: ${failure}`);
}

async function withClient<T>(
  name: string,
  found: Found<T>,
  use: (client: T) => Promise<void>,
): Promise<void> {
  if ('client' in found) return use(found.client);
  missing.push(`${name}: ${found.missing}`);
  say(`${name}: NOT TO BE HAD HERE, NOT TRIED: ${found.missing}`);
}

/** A stack with the tables of `tables.ts`. */
async function withTables(use: (target: Target) => Promise<void>): Promise<void> {
  const stack = await startTestStack({ queryEngines: 1 });
  try {
    const tenant = await newTenant(stack);
    const account = newAccount(stack);
    await seedClientTables(account);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    account.close();
    for (const table of ['things', 'events']) await tenant.query(`SELECT COUNT(*) FROM shop.${table}`);
    await use(targetOf(stack, tenant.credentials));
  } finally {
    await discardStack(stack);
  }
}

const clients = (): Promise<void> =>
  withTables(async (target) => {
    tell('psql', await tryPsql(target));
    await withClient('pgjdbc', await findJava(JAVA), async (java) => {
      tell('pgjdbc', await runProgram(java, ['Checks'], target));
      // It writes dates and times with the offset of its own zone.
      const args = ['-Duser.timezone=America/New_York', ...java.args];
      tell('pgjdbc west of Greenwich', await runProgram({ ...java, args }, ['Checks'], target));
    });
    await withClient(
      'psycopg 3, psycopg 2, SQLAlchemy, pandas, asyncpg, Django',
      await findPython(),
      async (python) => {
        for (const name of ['psycopg3', 'psycopg2_', 'sqlalchemy_', 'asyncpg_', 'django_'])
          tell(name.replace('_', ''), await runProgram(python, [join(PYTHON, `${name}.py`)], target));
      },
    );
    await withClient('DBD::Pg', await findPerl(), async (perl) =>
      tell('DBD::Pg', await runProgram(perl, [join(HERE, 'dbd-pg.pl')], target)),
    );
    await withClient('ActiveRecord', await findRuby(), async (ruby) =>
      tell('ActiveRecord', await runProgram(ruby, [join(HERE, 'activerecord.rb')], target)),
    );
    await withClient('postgres_fdw', await findServer(), async (server) =>
      tell('postgres_fdw', await tryForeignTables(server, target)),
    );
    await withClient('unixODBC', await findOdbc(), async (odbc) =>
      tell('unixODBC', await tryOdbc(odbc, target)),
    );
  });

/** Other engines that read the tenant's tables, and what loads them into frames. */
const engines = (): Promise<void> =>
  withTables(async (target) => {
    await withClient(
      'polars, connectorx, ADBC, DuckDB, ClickHouse, dbt, Spark',
      await findEngines(),
      async (python) => {
        for (const name of ['frames', 'duckdb_', 'clickhouse', 'dbt_', 'spark']) {
          const tried = await runProgram(python, [join(HERE, 'engines', `${name}.py`)], target);
          tell(name.replace('_', ''), tried);
        }
      },
    );
    await withClient('Trino', await findTrino(), async (trino) =>
      tell('Trino', await runProgram(trino, [], target)),
    );
    await withClient('Prisma', await findPrisma(), async (prisma) =>
      tell('Prisma', await runProgram(prisma, [], target)),
    );
  });

/** A program of its own; what it prints is shown. */
async function program(
  what: string,
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(path, args, {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  tell(what, [{ name: what, failure: code === 0 ? null : `status ${code}` }]);
}

/** Tenants' servers: attacks on them, and what they take. */
const servers = (): Promise<void> =>
  program('servers of tenants', 'mocha', ['--recursive', 'gateway/test/postgres/servers']);

async function rows(): Promise<void> {
  const stack = await startTestStack({ queryEngines: 1 });
  try {
    const tenant = await newTenant(stack);
    const account = newAccount(stack);
    await makeTables(account, true);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    await tenant.call('POST', '/v1/schemas/shop/refresh-metadata');
    account.close();
    const target = targetOf(stack, tenant.credentials);
    const ways = [await byNodePostgres(target), await byPsql(target)];
    await withClient(
      'pgjdbc',
      await findJava(JAVA),
      async (java) => void ways.push(byProgram('pgjdbc', java, ['Rows'], target)),
    );
    await withClient(
      'psycopg',
      await findPython(),
      async (python) => void ways.push(byProgram('psycopg', python, [join(PYTHON, 'rows.py')], target)),
    );
    try {
      const statements = differentialStatements(Number(values.count), Number(values.seed), 1);
      const found = await compareWays(byRest(stack.baseUrl, tenant.token), ways, statements);
      say(
        `${found.statements} statements with ${found.rows} rows over REST; the same, both refused, refused by the announced type:`,
      );
      for (const [way, { same, misfit, 'both fail': both }] of Object.entries(found.counts))
        say(`  ${way}: ${same}, ${both}, ${misfit}`);
      failed += found.differences.length;
      for (const { way, of, sql, why } of found.differences.slice(0, SHOWN_MAX))
        say(`  FAILED ${way}, ${of}: ${sql}\n    ${why}`);
    } finally {
      await Promise.all(ways.map((way) => way.close()));
    }
  } finally {
    await discardStack(stack);
  }
}

const large = async (): Promise<void> =>
  withClient('pgjdbc', await findJava(JAVA), async (java) =>
    tell('a million rows', await tryLarge(java, say)),
  );

const SECTIONS = { clients, engines, servers, rows, large };
for (const [name, section] of Object.entries(SECTIONS)) {
  if (values.only !== undefined && values.only !== name) continue;
  say(`\n=== ${name}`);
  await section();
}
say(`\n${failed === 0 ? 'All as it should be' : `${failed} not as they should be`}`);
for (const name of new Set(missing)) say(`  not tried, since it is not to be had here: ${name}`);
process.exit(failed === 0 ? 0 : 1);
