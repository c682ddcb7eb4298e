import type { AstExpression } from '../../ast.ts';
import type { DialectName } from '../dialect.ts';

/** Gives an argument as it is to be here, or throws NoOfferError where the call can't be written with it. */
export type TurnArgument = (argument: AstExpression | undefined) => AstExpression;

/** A function of other dialects, and what it is in ours. */
export interface FunctionRule {
  /** Upper-case; several with spaces between. */
  readonly names: string;
  readonly in: readonly DialectName[];
  /** How many arguments; the least and the most. */
  readonly count: number | readonly [number, number];
  /** Our SQL with `$1`, `$2`… for the arguments, or what makes it of them. */
  readonly ours: string | ((operands: readonly AstExpression[]) => string);
  /** Arguments that are turned first, by their numbers, from 1. */
  readonly given?: Readonly<Record<number, TurnArgument>>;
}

export const MYSQL: readonly DialectName[] = ['MySQL', 'MariaDB'];
export const TRINO: readonly DialectName[] = ['Trino', 'Athena'];
export const EVERYWHERE: readonly DialectName[] = [
  ...MYSQL,
  ...(['SQL Server', 'BigQuery', 'Snowflake', 'SQLite', 'Hive'] as const),
  ...TRINO,
  'Redshift',
];
export const except = (...names: readonly DialectName[]): readonly DialectName[] =>
  EVERYWHERE.filter((name) => !names.includes(name));
