/**
 * Captures what a client asks of the catalogs, to be asked of ours:
 *
 *     node gateway/test/postgres/catalog/reference/capture-statements.ts psql 'sh my-commands.sh'
 *
 * The command runs against a fresh PostgreSQL with the sample's tables, whose port is in PGPORT; it connects to database
 * penstock as user reader. What it sends goes to ../statements/<name>.json, with names for OIDs that another server has
 * otherwise.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_TABLES } from '../support/sample-tables.ts';
import type { CapturedStatement } from '../support/statements.ts';
import { prepareReference, READER } from './reference-tables.ts';
import { startReferenceServer, type ReferenceServer } from './server.ts';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

interface LogLine {
  readonly user?: string;
  readonly message?: string;
  readonly detail?: string;
}

/** Values as the log shows them: `$1 = 'x', $2 = NULL`. */
function parametersOf(detail = ''): readonly (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(
    ([, text]) => text?.replaceAll("''", "'") ?? null,
  );
}

/** Search paths go with the statements that they hold for. */
function statementsOf(log: string): readonly CapturedStatement[] {
  let searchPath: readonly string[] = [];
  return log.split('\n').flatMap((line): readonly CapturedStatement[] => {
    if (line === '') return [];
    const { user, message = '', detail } = JSON.parse(line) as LogLine;
    const sql = /^(?:statement|execute [^:]*): (.*)$/s.exec(message)?.[1];
    if (user !== READER || sql === undefined) return [];
    const path = /^\s*set search_path\s*(?:=|to)\s*'?(\w+)/i.exec(sql)?.[1];
    if (path !== undefined) searchPath = [path];
    if (!/^\s*(?:select|with|values|\()/i.test(sql) || /\bfrom shop\./i.test(sql)) return [];
    const parameters = parametersOf(detail);
    return [
      {
        sql,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(searchPath.length > 0 ? { searchPath } : {}),
      },
    ];
  });
}

/** Numbers of objects that are not the system's, by what they are called. */
async function namedOids({ query }: ReferenceServer): Promise<ReadonlyMap<string, string>> {
  const rows = await query(
    `SELECT oid || '|' || oid::regclass FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'i') AND relnamespace > 16383`,
    undefined,
    'penstock',
  );
  return new Map(
    rows
      .trim()
      .split('\n')
      .map((row) => row.split('|') as [string, string]),
  );
}

async function main([name = '', command = '']: readonly string[]): Promise<void> {
  const server = await startReferenceServer();
  try {
    await prepareReference(server, SAMPLE_TABLES);
    const { stdout, stderr } = await run('sh', ['-c', command], {
      env: { ...process.env, PGPORT: String(server.port) },
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    process.stdout.write(`${stdout}${stderr}`);
    const oids = await namedOids(server);
    const named = (text: string): string =>
      text.replace(/\b\d{5,}\b/g, (oid) => (oids.has(oid) ? `{oid ${oids.get(oid)}}` : oid));
    const all = statementsOf(await server.log()).map((statement) => ({
      ...statement,
      sql: named(statement.sql),
      ...(statement.parameters === undefined
        ? {}
        : { parameters: statement.parameters.map((value) => (value === null ? null : named(value))) }),
    }));
    const distinct = [...new Map(all.map((statement) => [JSON.stringify(statement), statement])).values()];
    await writeFile(
      join(import.meta.dirname, `../statements/${name}.json`),
      `${JSON.stringify(distinct, null, 1)}\n`,
    );
    process.stdout.write(`${distinct.length} statements\n`);
  } finally {
    await server.stop();
  }
}

await main(process.argv.slice(2));
