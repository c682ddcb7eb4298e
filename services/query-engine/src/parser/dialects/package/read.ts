/** The one place that calls `node-sql-parser`: whether a statement is of a dialect. Its trees are not used. */
import { DIALECTS, type Dialect, type DialectName } from '../dialect.ts';
import type { SourceToken } from '../source/source-token.ts';
import { withoutGaps } from './gaps.ts';

interface PackageParser {
  readonly astify: (sql: string) => unknown;
}
interface Build {
  readonly Parser: new () => PackageParser;
}

/** Each build holds one grammar. */
const BUILDS: Readonly<Record<DialectName, () => Promise<unknown>>> = {
  MySQL: () => import('node-sql-parser/build/mysql.js'),
  MariaDB: () => import('node-sql-parser/build/mariadb.js'),
  'SQL Server': () => import('node-sql-parser/build/transactsql.js'),
  BigQuery: () => import('node-sql-parser/build/bigquery.js'),
  Snowflake: () => import('node-sql-parser/build/snowflake.js'),
  SQLite: () => import('node-sql-parser/build/sqlite.js'),
  Hive: () => import('node-sql-parser/build/hive.js'),
  Trino: () => import('node-sql-parser/build/trino.js'),
  Athena: () => import('node-sql-parser/build/athena.js'),
  Redshift: () => import('node-sql-parser/build/redshift.js'),
};

const parsers = new Map<DialectName, PackageParser>();

async function parserOf(name: DialectName): Promise<PackageParser> {
  const known = parsers.get(name);
  if (known !== undefined) return known;
  // The builds are CommonJS, whose exports Node.js hands on as the default; their types say otherwise.
  const { default: build } = (await BUILDS[name]()) as { readonly default: Build };
  const parser = new build.Parser();
  parsers.set(name, parser);
  return parser;
}

/** Loads every grammar, which takes longer than reading most statements. */
export async function loadGrammars(): Promise<void> {
  for (const { name } of DIALECTS) await parserOf(name);
}

/**
 * Whether the package reads a statement in a dialect, as it stands or without what the package is known not to read.
 * It may take exponential time, and end in any error.
 */
export async function isReadAs(
  sql: string,
  tokens: readonly SourceToken[],
  { name }: Dialect,
): Promise<boolean> {
  const parser = await parserOf(name);
  const reads = (text: string): boolean => {
    try {
      parser.astify(text);
      return true;
    } catch {
      return false;
    }
  };
  if (reads(sql)) return true;
  const plain = withoutGaps(tokens);
  return plain !== null && reads(plain);
}
