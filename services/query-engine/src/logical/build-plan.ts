/** Makes frozen plan nodes. Each factory is named after its `kind`. */
import type { CatalogTable } from '../catalog/table.ts';
import type { Column, Expression, SortKey } from './expression.ts';
import type {
  Cte,
  CteScan,
  Distinct,
  Filter,
  Join,
  Limit,
  LogicalPlan,
  Project,
  Recursion,
  RecursionScan,
  ScanColumn,
  SetOperation,
  Sort,
  TableScan,
  Values,
  With,
} from './plan.ts';

/** Freezes a node as it is given. */
export function planNode<N extends LogicalPlan>(node: N): N {
  return Object.freeze(node);
}

/** A read of a whole table, with no hints yet. */
export function tableScan(
  table: CatalogTable,
  alias: string,
  columns: readonly ScanColumn[],
  isStarred = false,
): TableScan {
  return planNode({
    kind: 'TableScan',
    table,
    alias,
    columns,
    filter: [],
    limitHint: null,
    orderHint: [],
    ...(isStarred && { isStarred }),
  });
}

export function values(columns: readonly Column[], rows: Values['rows']): Values {
  return planNode({ kind: 'Values', columns, rows });
}

/** A filter, or the input itself when there is no predicate. */
export function filter(input: LogicalPlan, predicates: readonly Expression[]): LogicalPlan {
  if (predicates.length === 0) return input;
  return planNode<Filter>({ kind: 'Filter', input, predicates });
}

export function project(input: LogicalPlan, columns: Project['columns']): Project {
  return planNode({ kind: 'Project', input, columns });
}

export function join(
  kind: Join['join'],
  left: LogicalPlan,
  right: LogicalPlan,
  on: readonly Expression[],
): Join {
  return planNode({ kind: 'Join', join: kind, left, right, on, lateral: false });
}

/** Each row of the left with the rows that the right has for it; of an outer one with NULLs where it has none. */
export function lateralJoin(
  kind: 'inner' | 'left' | 'cross',
  left: LogicalPlan,
  right: LogicalPlan,
  on: readonly Expression[],
): Join {
  const isOuter = kind === 'left';
  return planNode({
    kind: 'Join',
    join: isOuter ? 'left' : on.length === 0 ? 'cross' : 'inner',
    left,
    // DuckDB has no condition of an outer one: it is the right's own.
    right: isOuter ? filter(right, on) : right,
    on: isOuter ? [] : on,
    lateral: true,
  });
}

export function distinct(input: LogicalPlan, on: readonly Expression[] | null): Distinct {
  return planNode({ kind: 'Distinct', input, on });
}

/** A sort, or the input itself when there is no key. */
export function sort(input: LogicalPlan, keys: readonly SortKey[]): LogicalPlan {
  if (keys.length === 0) return input;
  return planNode<Sort>({ kind: 'Sort', input, keys });
}

/** A limit, or the input itself when it would cut nothing. */
export function limit(input: LogicalPlan, count: number | null, offset: number): LogicalPlan {
  if (count === null && offset === 0) return input;
  return planNode<Limit>({ kind: 'Limit', input, count, offset });
}

export function setOperation(
  operator: SetOperation['operator'],
  all: boolean,
  left: LogicalPlan,
  right: LogicalPlan,
  columns: readonly Column[],
): SetOperation {
  return planNode({ kind: 'SetOperation', operator, all, left, right, columns });
}

/** The body with its common table expressions, or the body itself when there are none. */
export function withCtes(ctes: readonly Cte[], body: LogicalPlan): LogicalPlan {
  if (ctes.length === 0) return body;
  return planNode<With>({ kind: 'With', ctes, body });
}

export function cteScan(cteId: number, name: string, columns: readonly Column[]): CteScan {
  return planNode({ kind: 'CteScan', cteId, name, columns });
}

export function recursion(fields: Omit<Recursion, 'kind'>): Recursion {
  return planNode({ kind: 'Recursion', ...fields });
}

export function recursionScan(recursionId: number, name: string, columns: readonly Column[]): RecursionScan {
  return planNode({ kind: 'RecursionScan', recursionId, name, columns });
}
