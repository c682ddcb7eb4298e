/**
 * In which order a query's rows come, as columns that a list of them can be sorted by.
 *
 * Rows are read and joined in any order, so that a list of them has none unless the statement says it. ORMs say it in a
 * subquery, whose order other engines keep, as they keep that of VALUES and of a list's elements: what the rows are ordered
 * by is carried up to the list here, as hidden columns.
 */
import { columnReference, literal } from '../logical/build-expression.ts';
import { project } from '../logical/build-plan.ts';
import type { Column, Expression, SortKey } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { CteScan, Join, LogicalPlan, Project, Sort, Unnest, Values } from '../logical/plan.ts';
import { withFields } from '../logical/visit.ts';
import { BINDER_LIMITS } from './limits.ts';

export interface OrderedRows {
  /** The plan that was given; behind its own columns, it may have hidden ones. */
  readonly plan: LogicalPlan;
  /** Columns of the plan; none: nothing says in which order its rows come. */
  readonly keys: readonly SortKey[];
}

export interface OrderContext {
  readonly newColumn: (name: string) => Column;
  /** The rows of a CTE in their order, where it is known. */
  readonly ofCte: (cteId: number) => OrderedRows | undefined;
}

const inNoOrder = (plan: LogicalPlan): OrderedRows => ({ plan, keys: [] });

const ascending = (column: Column): SortKey =>
  Object.freeze({ expression: columnReference(column), descending: false, nullsFirst: true });

/** The column among these that is the expression itself; undefined where none is. */
function columnOf(columns: Project['columns'], value: Expression): Column | undefined {
  if (value.kind !== 'ColumnReference') return undefined;
  return columns.find(
    ({ expression: from }) => from.kind === 'ColumnReference' && from.column.id === value.column.id,
  )?.column;
}

/** The keys as columns of a projection: those that it has not are added to it. */
function projected(
  columns: Project['columns'],
  keys: readonly SortKey[],
  { newColumn }: OrderContext,
): { readonly columns: Project['columns']; readonly keys: readonly SortKey[] } {
  const hidden: Project['columns'][number][] = [];
  const shown = keys.map((key) => {
    let column = columnOf(columns, key.expression);
    if (column === undefined) {
      column = newColumn('order');
      hidden.push(Object.freeze({ column, expression: key.expression }));
    }
    return withFields(key, { expression: columnReference(column) });
  });
  return { columns: Object.freeze([...columns, ...hidden]), keys: shown };
}

/** Sorted rows, whose keys are columns. */
function sorted(plan: Sort, context: OrderContext): OrderedRows {
  if (plan.keys.every((key) => key.expression.kind === 'ColumnReference')) return { plan, keys: plan.keys };
  const own = outputColumns(plan.input).map((column) =>
    Object.freeze({ column, expression: columnReference(column) }),
  );
  const { columns, keys } = projected(own, plan.keys, context);
  return { plan: withFields(plan, { input: project(plan.input, columns), keys }), keys };
}

/** Rows of VALUES, numbered as they are written. */
function numbered(plan: Values, { newColumn }: OrderContext): OrderedRows {
  if (plan.rows.length < 2) return inNoOrder(plan);
  const place = newColumn('place');
  const rows = plan.rows.map((row, i) =>
    Object.freeze([...row, literal({ type: 'number', text: String(i + 1) })]),
  );
  const columns = Object.freeze([...plan.columns, place]);
  return { plan: withFields(plan, { columns, rows: Object.freeze(rows) }), keys: [ascending(place)] };
}

/** Elements in their list's order, within that of the rows which the lists are of. */
function unnested(plan: Unnest, context: OrderContext): OrderedRows {
  const { plan: input, keys } = orderedRows(plan.input, context);
  const ordinality = plan.ordinality ?? context.newColumn('place');
  return { plan: withFields(plan, { input, ordinality }), keys: [...keys, ascending(ordinality)] };
}

/** As a nested loop gives them: the left's rows in their order, and for each the right's in theirs. */
function joined(plan: Join, context: OrderContext): OrderedRows {
  if (plan.join === 'right' || plan.join === 'full') return inNoOrder(plan);
  const left = orderedRows(plan.left, context);
  const right = orderedRows(plan.right, context);
  const keys = [...left.keys, ...right.keys];
  if (keys.length > BINDER_LIMITS.orderKeysMax) return inNoOrder(plan);
  return { plan: withFields(plan, { left: left.plan, right: right.plan }), keys };
}

/** One use of a CTE: its hidden columns anew, too. */
function named(plan: CteScan, { ofCte, newColumn }: OrderContext): OrderedRows {
  const rows = ofCte(plan.cteId);
  if (rows === undefined || rows.keys.length === 0) return inNoOrder(plan);
  const sources = outputColumns(rows.plan);
  const columns = sources.map((source, i) => plan.columns[i] ?? newColumn(source.name));
  const uses = columns.map((column, i) =>
    Object.freeze({ column, expression: columnReference(sources[i] as Column) }),
  );
  const keys = rows.keys.map((key) =>
    withFields(key, { expression: columnReference(columnOf(uses, key.expression) as Column) }),
  );
  return { plan: withFields(plan, { columns: Object.freeze(columns) }), keys };
}

/** The rows of a plan, and what they are ordered by. */
export function orderedRows(plan: LogicalPlan, context: OrderContext): OrderedRows {
  switch (plan.kind) {
    case 'Sort':
      return sorted(plan, context);
    case 'Values':
      return numbered(plan, context);
    case 'Unnest':
      return unnested(plan, context);
    case 'Join':
      return joined(plan, context);
    case 'CteScan':
      return named(plan, context);
    case 'Project': {
      const below = orderedRows(plan.input, context);
      const { columns, keys } = projected(plan.columns, below.keys, context);
      return { plan: withFields(plan, { input: below.plan, columns }), keys };
    }
    case 'Distinct': {
      if (plan.on === null) return inNoOrder(plan);
      const { plan: input, keys } = orderedRows(plan.input, context);
      return { plan: withFields(plan, { input }), keys };
    }
    case 'With': {
      const { plan: body, keys } = orderedRows(plan.body, context);
      return { plan: withFields(plan, { body }), keys };
    }
    case 'Filter':
    case 'Limit': {
      const { plan: input, keys } = orderedRows(plan.input, context);
      return { plan: withFields(plan, { input }), keys };
    }
    default:
      return inNoOrder(plan);
  }
}
