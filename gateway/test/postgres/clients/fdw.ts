/** postgres_fdw of a PostgreSQL that stands elsewhere: foreign tables by IMPORT FOREIGN SCHEMA, and what it sends for their queries. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { recovers } from '../../chaos/recovers.ts';
import type { Program } from './installed.ts';
import type { Tried } from './programs.ts';
import type { Target } from './target.ts';
import { EVENTS } from './tables.ts';

const run = promisify(execFile);

/** Whoever is root here may be no PostgreSQL. */
const NOBODY = 65_534;
const asNobody = (): { uid: number; gid: number } | object =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Statements by the foreign tables, and what a table with the same rows gives. */
const QUERIES: readonly (readonly [name: string, sql: string, expected: unknown])[] = [
  ['a count', 'SELECT count(*) FROM shop.events', [[String(EVENTS)]]],
  ['a filter', "SELECT count(*) FROM shop.events WHERE device = 'd1' AND tick < 20", [['4']]],
  ['LIKE', "SELECT id FROM shop.things WHERE name LIKE 'Grü%'", [['full']]],
  ['LIKE with an escape', `SELECT id FROM shop.things WHERE name LIKE '%\\\\back%'`, [['full']]],
  ['no LIKE', "SELECT count(*) FROM shop.things WHERE id NOT LIKE 'n%' AND id !~~ 'f%'", [['1']]],
  ['IN and IS NULL', "SELECT id FROM shop.things WHERE id IN ('full', 'empty') AND amount IS NULL", [['empty']]],
  ['groups', 'SELECT level, count(*), sum(tick) FROM shop.events GROUP BY level ORDER BY level', [['high', '1250', '1562500'], ['low', '1250', '1561250']]],
  ['a sort with a limit', "SELECT tick FROM shop.events WHERE device = 'd0' ORDER BY tick DESC NULLS LAST LIMIT 2", [['2495'], ['2490']]],
  ['a join on their side', "SELECT count(*) FROM shop.events e JOIN shop.things t ON t.id = 'full' AND e.device = 'd2'", [['500']]],
  ['a document', "SELECT address->>'zip' FROM shop.things WHERE id = 'full'", [['1000']]],
  ['bytes', "SELECT raw FROM shop.things WHERE id = 'full'", [['\\x00017f80ff']]],
  ['numbers', "SELECT amount FROM shop.things WHERE id = 'n3'", [['12345678901234567890123456789012345678']]],
]; // oxfmt-ignore

export async function tryForeignTables(program: Program, target: Target): Promise<readonly Tried[]> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-fdw-'));
  let server: ChildProcess | null = null;
  const options = { env: { ...process.env, ...program.env, LC_ALL: 'C.UTF-8' }, ...asNobody() };
  try {
    if ('uid' in options) await chown(folder, NOBODY, NOBODY);
    const data = join(folder, 'data');
    await run(
      join(program.path, 'initdb'),
      ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      options,
    );
    server = spawn(join(program.path, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
      ...options,
      stdio: 'ignore',
    });
    const client = new pg.Client({ host: folder, user: 'owner', database: 'postgres' });
    await recovers(async () => {
      const trying = new pg.Client({ host: folder, user: 'owner', database: 'postgres' });
      await trying.connect();
      await trying.end();
      return true;
    });
    await client.connect();
    try {
      const { host, port, user, password } = target;
      for (const sql of [
        'CREATE EXTENSION postgres_fdw',
        'CREATE SCHEMA shop',
        `CREATE SERVER there FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host ${quoted(host)}, port ${quoted(String(port))}, dbname 'penstock')`,
        `CREATE USER MAPPING FOR owner SERVER there OPTIONS (user ${quoted(user)}, password ${quoted(password)})`,
      ])
        await client.query(sql);
      const tried: Tried[] = [];
      const attempt = async (name: string, sql: string, expected: unknown): Promise<void> => {
        const failure = await client
          .query({ text: sql, rowMode: 'array', types: { getTypeParser: () => String } })
          .then(
            ({ rows }) =>
              expected === null || JSON.stringify(rows) === JSON.stringify(expected)
                ? null
                : `expected ${JSON.stringify(expected)}, got ${JSON.stringify(rows)}`,
            (error: Error) => error.message,
          );
        tried.push({ name, failure });
      };
      await attempt('IMPORT FOREIGN SCHEMA', 'IMPORT FOREIGN SCHEMA shop FROM SERVER there INTO shop', null);
      for (const query of QUERIES) await attempt(...query);
      // A cursor of several fetches.
      await client.query(`ALTER SERVER there OPTIONS (ADD fetch_size '37')`);
      await attempt(
        'rows by many fetches',
        'SELECT count(DISTINCT tick) FROM (SELECT * FROM shop.events OFFSET 0) e',
        [[String(EVENTS)]],
      );
      await attempt('ANALYZE', 'ANALYZE shop.events', null);
      return tried;
    } finally {
      await client.end();
    }
  } finally {
    if (server !== null && server.exitCode === null) {
      server.kill('SIGQUIT');
      await once(server, 'close');
    }
    await rm(folder, { recursive: true, force: true });
  }
}
