/** `x IN (subquery)`, `x < ALL (subquery)` and the like, comparing by value. */
import type { ComparisonOperator, Expression } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import type { Typed } from './types/sql-type.ts';
import { comparable, hashableEquality } from './comparison.ts';
import { compareRows } from './row-comparison.ts';
import { columnName, type WriteScope } from './scope.ts';

export interface Quantified {
  readonly operand: Expression;
  readonly operator: ComparisonOperator;
  readonly quantifier: 'ANY' | 'ALL';
  readonly plan: LogicalPlan;
}

interface Sides {
  readonly operands: readonly Typed[];
  /** The subquery's columns, by their names in it. */
  readonly columns: readonly Typed[];
  readonly query: string;
}

/**
 * In a type in which DuckDB's own operators compare by value; null where there is none. Of rows there is none: DuckDB
 * compares them as structs, whose NULLs are equal.
 */
function asOneType(
  { operands, columns, query }: Sides,
  scope: WriteScope,
): { readonly left: string; readonly right: string } | null {
  const [operand, ...others] = operands;
  const [column] = columns;
  if (operand === undefined || column === undefined || others.length > 0) return null;
  const converted = comparable(operand.type, column.type);
  if (converted === null) return null;
  const field = converted(column);
  const right = field === column.sql ? query : `SELECT ${field} FROM (${query}) ${scope.freshAlias()}`;
  return { left: converted(operand), right };
}

/**
 * Whether a subquery has rows, as a value. DuckDB joins a correlated EXISTS by what it compares and takes `a <> b` there for
 * IS DISTINCT FROM; it may do so where only rows are chosen, since it tests for NULL then.
 */
export function existsAsValue(query: string, scope: WriteScope): string {
  return `coalesce((SELECT bool_or(TRUE) FROM (${query}) ${scope.freshAlias()}), FALSE)`;
}

/** Row by row of the subquery: what decides it, then whether a NULL leaves it open. */
function byRows(
  { operands, columns, query }: Sides,
  asked: Quantified,
  scope: WriteScope,
  onlyTruth: boolean,
): string {
  const pairs = operands.map((value, i) => [value, columns[i] ?? value] as const);
  const compared = compareRows(asked.operator, pairs);
  const any = asked.quantifier === 'ANY';
  const decides =
    any && asked.operator === '='
      ? pairs.map(([a, b]) => hashableEquality(a, b)).join(' AND ')
      : any
        ? compared
        : `NOT ${compared}`;
  const rows = (condition: string): string =>
    `SELECT 1 FROM (${query}) ${scope.freshAlias()} WHERE ${condition}`;
  if (any && onlyTruth) return `EXISTS (${rows(decides)})`;
  const exists = (condition: string): string => existsAsValue(rows(condition), scope);
  const [first, ...others] = pairs;
  const open =
    first === undefined || others.length > 0
      ? exists(`${compared} IS NULL`)
      : `(${exists(`${first[1].sql} IS NULL`)} OR (${first[0].sql} IS NULL AND ${exists('TRUE')}))`;
  const outcome = any ? 'TRUE' : 'FALSE';
  const otherwise = any ? 'FALSE' : 'TRUE';
  return `CASE WHEN ${exists(decides)} THEN ${outcome} WHEN ${open} THEN NULL ELSE ${otherwise} END`;
}

function sidesOf(
  { operand, plan }: Quantified,
  write: (node: Expression) => Typed,
  scope: WriteScope,
): Sides {
  const query = scope.subquery(plan);
  return {
    operands: operand.kind === 'Row' ? operand.values.map(write) : [write(operand)],
    columns: query.columns.map(({ id, type }) => ({ sql: columnName(id), type })),
    query: query.sql,
  };
}

/** @param onlyTruth where it does not matter whether what is not TRUE is FALSE or NULL: a conjunct */
export function writeQuantified(
  asked: Quantified,
  write: (node: Expression) => Typed,
  scope: WriteScope,
  onlyTruth = false,
): string {
  const sides = sidesOf(asked, write, scope);
  const one = asOneType(sides, scope);
  if (one === null) return `(${byRows(sides, asked, scope, onlyTruth)})`;
  return `(${one.left} ${asked.operator} ${asked.quantifier} (${one.right}))`;
}
