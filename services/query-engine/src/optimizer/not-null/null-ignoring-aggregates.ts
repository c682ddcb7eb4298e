/** Which aggregates pass over a row in which a column of theirs is NULL. */
import type { AggregateCall, ColumnId } from '../../logical/expression.ts';
import { isNullWith, rejectsNull } from '../rejects-null.ts';

/**
 * How many arguments each counts by: a NULL in any of them makes it pass over the row. Those that are not here take NULL
 * for a value (ARRAY_AGG), or have rules of their own for it (ARG_MIN, percentiles).
 */
const COUNTED_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ...[
    ...['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'PRODUCT', 'ANY_VALUE', 'STRING_AGG', 'MEDIAN'],
    ...['STDDEV', 'STDDEV_POP', 'VARIANCE', 'VAR_POP', 'SKEWNESS', 'KURTOSIS'],
    ...['BOOL_AND', 'BOOL_OR', 'BIT_AND', 'BIT_OR', 'BIT_XOR'],
  ].map((name): [string, number] => [name, 1]),
  ...[
    ...['CORR', 'COVAR_POP', 'COVAR_SAMP', 'REGR_SLOPE', 'REGR_INTERCEPT', 'REGR_R2', 'REGR_COUNT'],
    ...['REGR_AVGX', 'REGR_AVGY', 'REGR_SXX', 'REGR_SYY', 'REGR_SXY'],
  ].map((name): [string, number] => [name, 2]),
]);

/** Whether the aggregate is the same without the rows in which the column is NULL. COUNT(*) is not. */
export function ignoresNullOf(call: AggregateCall, id: ColumnId): boolean {
  const columns = new Set([id]);
  if (call.filter !== null && rejectsNull(call.filter, columns)) return true;
  if (call.name === 'COUNT_IF') return call.arguments.some((condition) => rejectsNull(condition, columns));
  // Its list of distinct values has NULL in it, and is empty text then, where it would be NULL of no row.
  if (call.name === 'STRING_AGG' && call.distinct) return false;
  const counted = call.arguments.slice(0, COUNTED_ARGUMENTS.get(call.name) ?? 0);
  return counted.some((argument) => isNullWith(argument, columns));
}
