/** Short ways to write generated queries. */
import type { JoinEdge, Occurrence, Output, Predicate, QueryKind, WorkloadQuery } from './query.ts';

type Constant = string | number;
type Place = readonly [alias: string, column: string];

export const equals = (column: string, value: Constant): Predicate => ({
  kind: 'compare',
  column,
  operator: '=',
  value,
});
export const above = (column: string, value: Constant): Predicate => ({
  kind: 'compare',
  column,
  operator: '>=',
  value,
});
export const oneOf = (column: string, values: readonly Constant[]): Predicate => ({
  kind: 'in',
  column,
  values: [...new Set(values)],
});
export const between = (column: string, low: Constant, high: Constant): Predicate => ({
  kind: 'between',
  column,
  low,
  high,
});
export const startsWith = (column: string, prefix: string): Predicate => ({ kind: 'prefix', column, prefix });

export const from = (table: string, alias: string, ...predicates: Predicate[]): Occurrence => ({
  alias,
  table,
  predicates,
});
export const join = (left: Place, right: Place, kind: JoinEdge['kind'] = 'inner'): JoinEdge => ({
  kind,
  left,
  right,
});
export const column = (alias: string, of: string): Output => ({ call: null, alias, of });
export const count = (alias: string): Output => ({ call: 'COUNT', alias, of: null });
export const call = (name: 'SUM' | 'AVG' | 'MIN' | 'MAX', alias: string, of: string): Output => ({
  call: name,
  alias,
  of,
});

type Rest = Partial<Pick<WorkloadQuery, 'edges' | 'groupBy' | 'order' | 'limit'>>;

export function query(
  kind: QueryKind,
  occurrences: readonly Occurrence[],
  outputs: readonly Output[],
  { edges = [], groupBy = [], order = null, limit = null }: Rest = {},
): WorkloadQuery {
  return { kind, occurrences, outputs, edges, groupBy, order, limit };
}
