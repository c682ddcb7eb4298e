/** The dialects of other systems, and what each does otherwise than ours where one cannot see it. */

export type DialectName =
  | 'MySQL'
  | 'MariaDB'
  | 'SQL Server'
  | 'BigQuery'
  | 'Snowflake'
  | 'SQLite'
  | 'Hive'
  | 'Trino'
  | 'Athena'
  | 'Redshift';

export interface Dialect {
  readonly kind: 'Dialect';
  readonly name: DialectName;
  /** The build of `node-sql-parser` that reads it. */
  readonly build: string;
  /** What stands in double quotes. */
  readonly doubleQuoted: 'name' | 'text';
  readonly backticks: boolean;
  /** Whether `[a b]` is a name; elsewhere brackets are subscripts. */
  readonly bracketedNames: boolean;
  /** Whether `\'` is a quote in a text. */
  readonly backslashEscapes: boolean;
  /** Whether a quote inside of a text may be doubled. */
  readonly doubledQuotes: boolean;
  readonly hashComments: boolean;
  /** What `@x` is: a parameter of the caller's, or a variable of the session, which nobody here has. */
  readonly at: 'parameter' | 'variable';
  /** Whether `a || b` is a OR b. */
  readonly pipesAreOr: boolean;
  /** Whether the quotient of two whole numbers is a whole number. */
  readonly dividesWhole: boolean;
  /** Where NULL sorts by itself: below every value (as here), above every value, or last in either direction. */
  readonly nulls: 'low' | 'high' | 'last';
  /** How a number with a fraction becomes a whole one in CAST. */
  readonly castsToWhole: 'rounds' | 'cuts' | 'unknown';
}

const COMMON = {
  kind: 'Dialect',
  doubleQuoted: 'name',
  backticks: false,
  bracketedNames: false,
  backslashEscapes: false,
  doubledQuotes: true,
  hashComments: false,
  at: 'variable',
  pipesAreOr: false,
  dividesWhole: false,
  nulls: 'low',
  castsToWhole: 'rounds',
} as const;
const MYSQL = {
  ...COMMON,
  doubleQuoted: 'text',
  backticks: true,
  backslashEscapes: true,
  hashComments: true,
  pipesAreOr: true,
} as const;
const TRINO = { ...COMMON, dividesWhole: true, nulls: 'last' } as const;

/** All of them, the more usual first: where several read a statement alike, the first names it. */
export const DIALECTS: readonly Dialect[] = Object.freeze(
  (
    [
      { ...MYSQL, name: 'MySQL', build: 'mysql' },
      { ...MYSQL, name: 'MariaDB', build: 'mariadb' },
      {
        ...COMMON,
        ...{ name: 'SQL Server', build: 'transactsql', bracketedNames: true, at: 'parameter' },
        ...{ dividesWhole: true, castsToWhole: 'cuts' },
      },
      {
        ...COMMON,
        ...{ name: 'BigQuery', build: 'bigquery', doubleQuoted: 'text', backticks: true },
        ...{ backslashEscapes: true, doubledQuotes: false, hashComments: true, at: 'parameter' },
      },
      { ...COMMON, name: 'Snowflake', build: 'snowflake', backslashEscapes: true, nulls: 'high' },
      {
        ...COMMON,
        ...{ name: 'SQLite', build: 'sqlite', backticks: true, bracketedNames: true, at: 'parameter' },
        ...{ dividesWhole: true, castsToWhole: 'unknown' },
      },
      {
        ...COMMON,
        ...{ name: 'Hive', build: 'hive', doubleQuoted: 'text', backticks: true, backslashEscapes: true },
        doubledQuotes: false,
        castsToWhole: 'unknown',
      },
      { ...TRINO, name: 'Trino', build: 'trino' },
      { ...TRINO, name: 'Athena', build: 'athena' },
      {
        ...COMMON,
        ...{ name: 'Redshift', build: 'redshift', dividesWhole: true, nulls: 'high' },
        castsToWhole: 'unknown',
      },
    ] as const satisfies readonly Dialect[]
  ).map((dialect) => Object.freeze(dialect)),
);
