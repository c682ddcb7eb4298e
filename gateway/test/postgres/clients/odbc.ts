/** unixODBC's isql with psqlODBC, in each of the ways that it fetches rows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { variablesOf, type Tried } from './programs.ts';
import type { Odbc } from './installed.ts';
import type { Target } from './target.ts';

const WAYS = ['', 'UseDeclareFetch=1\nFetch=50', 'UseServerSidePrepare=0', 'Protocol=7.4-2'] as const;

/** Statements, and a text that must be in what isql prints. */
const ASKED: readonly (readonly [name: string, sql: string, expected: readonly string[]])[] = [
  ['SQLTables', 'help', ['penstock|shop|events|TABLE', 'penstock|shop|things|TABLE']],
  ['SQLColumns', 'help things', ['|id|', '|amount|2|numeric|', '|paid|']],
  ['numbers', "select id, amount from shop.things where id like 'n_' order by id", [
    'n3|12345678901234567890123456789012345678',
    'n4|0.00000000000000000000000000000000000001',
    'n5|-99999999999999999999.999999999999999999',
  ]],
  ['a row of every type', "select name, paid, raw, address from shop.things where id = 'full'", ['Grüße, 世界', '00017f80ff', '{"floor":3,"zip":"1000"}']],
  ['NULLs', "select id, amount, name from shop.things where id = 'nulls'", ['nulls||']],
  ['dates', "select cast(day as date), cast(at as timestamp) from shop.things where id = 'full'", ['2024-02-29|2024-02-29 23:59:59.123456']],
  ['all rows', 'select count(*) as n, sum(tick) from shop.events', ['2500|3123750']],
  ['an error', 'select nope from shop.things', ['[42703]']],
  ['a write', "insert into shop.things values ('a')", ['[25006]']],
  ['going on', "select 'still ' || 'there'", ['still there']],
]; // oxfmt-ignore

/** What isql prints, errors too. */
function isql({ path, env }: Odbc, folder: string, target: Target, script: string): Promise<string> {
  const variables = { HOME: folder, ODBCSYSINI: folder, ODBCINI: join(folder, 'odbc.ini') };
  return new Promise((resolve) => {
    const child = execFile(
      path,
      ['-v', '-b', '-d|', 'penstock'],
      { env: { ...variablesOf(target), ...env, ...variables }, timeout: 120_000 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
    // Where it could not connect it has ended already; what it printed says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(script);
  });
}

export async function tryOdbc(odbc: Odbc, target: Target): Promise<readonly Tried[]> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-odbc-'));
  try {
    await writeFile(join(folder, 'odbcinst.ini'), `[psqlodbc]\nDriver=${odbc.driver}\n`);
    const tried: Tried[] = [];
    for (const way of WAYS) {
      const { host, port, user, password } = target;
      const source = { Driver: 'psqlodbc', Servername: host, Port: port, Database: 'penstock' };
      const lines = Object.entries({ ...source, UserName: user, Password: password }).map(
        ([name, value]) => `${name}=${value}`,
      );
      await writeFile(
        join(folder, 'odbc.ini'),
        `[penstock]\n${lines.join('\n')}\nConnSettings=SET search_path TO shop\n${way}\n`,
      );
      for (const [name, sql, expected] of ASKED) {
        // isql goes on after an error, in the same session.
        const printed = await isql(odbc, folder, target, `${sql}\nselect 'and ' || 'on'\n`);
        const missing = [...expected, 'and on'].filter((text) => !printed.includes(text));
        const failure =
          missing.length === 0 ? null : `not in it: ${missing.join(', ')}: ${printed.slice(0, 500)}`;
        tried.push({ name: `${way.split('\n')[0] ?? ''} ${name}`.trim(), failure });
      }
    }
    return tried;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
