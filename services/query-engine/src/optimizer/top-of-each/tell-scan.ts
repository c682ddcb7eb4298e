/**
 * Tells the scan below a node that of each group of the node's input only the first rows are wanted.
 *
 * On the way down a group may only be cut into smaller ones: whatever decides by other columns of the scan whether, where or
 * how often a row comes up, is added to what rows of a group have in common. So the rows of a group share their fate, and the
 * first of the large group are among the first of the small ones. A read can make use of it where these columns are keys
 * that it has values of.
 */
import { allKeyAttributes } from '../../catalog/table.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { Join, LogicalPlan, Project, ScanColumn, TableScan, TopOfEach } from '../../logical/plan.ts';
import { referencesInPlan } from '../../logical/references.ts';
import { withFields } from '../../logical/visit.ts';
import { producedColumns, usedColumns } from '../column-use.ts';

/** As `TopOfEach`, by the columns of a plan. */
export interface WantedRows extends Pick<TopOfEach, 'rows' | 'ties' | 'nullsLast'> {
  /** Columns that are none of the plan's are the same for all of its rows. */
  readonly by: Iterable<ColumnId>;
  readonly order: readonly { readonly id: ColumnId; readonly descending: boolean }[];
}

/** The columns of a list of expressions, those of subqueries in them included. */
export function columnsIn(expressions: readonly Expression[]): readonly ColumnId[] {
  return expressions.flatMap((expression) => [...usedColumns(expression)]);
}

/** The plan; itself where no scan can be told. */
export function tellScan(plan: LogicalPlan, wanted: WantedRows): LogicalPlan {
  switch (plan.kind) {
    case 'TableScan':
      return told(plan, wanted);
    case 'Filter': {
      const { input, predicates } = plan;
      // What the scan knows it passes on to the read, which takes it into account.
      const known = input.kind === 'TableScan' ? input.filter : [];
      const unknown = predicates.filter((predicate) => !known.includes(predicate));
      return withFields(plan, { input: tellScan(input, withBy(wanted, columnsIn(unknown))) });
    }
    case 'Sort':
      return withFields(plan, { input: tellScan(plan.input, wanted) });
    case 'Project': {
      const below = underNames(plan, wanted);
      return below === null ? plan : withFields(plan, { input: tellScan(plan.input, below) });
    }
    case 'Join':
      return tellSide(plan, wanted);
    default:
      return plan;
  }
}

function withBy(wanted: WantedRows, more: readonly ColumnId[]): WantedRows {
  return { ...wanted, by: [...wanted.by, ...more] };
}

/**
 * The order up to the first key that has no column below; null where that says nothing. Rows that are equal so far may differ
 * in the rest of it, so all of them are wanted.
 */
function withOrder(wanted: WantedRows, order: readonly (ColumnId | null)[]): WantedRows | null {
  const missing = order.indexOf(null);
  if (missing < 0) {
    return { ...wanted, order: wanted.order.map((key, i) => ({ ...key, id: order[i] ?? key.id })) };
  }
  if (missing === 0 || wanted.ties === 'none') return null;
  const first = { ...wanted, order: wanted.order.slice(0, missing), ties: 'all' as const };
  return withOrder(first, order.slice(0, missing));
}

function underNames({ columns }: Project, wanted: WantedRows): WantedRows | null {
  const sources = new Map(columns.map(({ column, expression }) => [column.id, expression]));
  const ordered = withOrder(
    wanted,
    wanted.order.map(({ id }) => {
      const source = sources.get(id);
      return source?.kind === 'ColumnReference' ? source.column.id : null;
    }),
  );
  const by = [...wanted.by].flatMap((id) => {
    const source = sources.get(id);
    return source === undefined ? [id] : [...usedColumns(source)];
  });
  return ordered === null ? null : { ...ordered, by };
}

/**
 * The side that has the order. Each of its rows comes up as often as others that are equal in what the condition asks of it,
 * beside the same rows of the other side.
 */
function tellSide(join: Join, wanted: WantedRows): LogicalPlan {
  const first = wanted.order[0]?.id ?? -1;
  const side = producedColumns(join.left).has(first) ? 'left' : 'right';
  const own = producedColumns(join[side]);
  const ordered = withOrder(
    wanted,
    wanted.order.map(({ id }) => (own.has(id) ? id : null)),
  );
  if (ordered === null) return join;
  const asked = columnsIn(join.on);
  const named = join.lateral && side === 'left' ? [...referencesInPlan(join.right)] : [];
  return withFields(join, { [side]: tellScan(join[side], withBy(ordered, [...asked, ...named])) });
}

function told(scan: TableScan, { by, order, rows, ties, nullsLast }: WantedRows): TableScan {
  if (scan.topOfEach !== undefined || scan.limitHint !== null) return scan;
  const columns = new Map<ColumnId, ScanColumn>(scan.columns.map((column) => [column.id, column]));
  const groups = [...new Set(by)].map((id) => columns.get(id)).filter((column) => column !== undefined);
  const keys = order.flatMap(({ id, descending }) => {
    const column = columns.get(id);
    // What all rows of a group have in common orders none of them.
    return column === undefined || groups.includes(column) ? [] : [Object.freeze({ column, descending })];
  });
  const [first] = keys;
  const names = new Set(allKeyAttributes(scan.table).map(({ name }) => name));
  const isKey = ({ path }: ScanColumn): boolean => path.length === 1 && names.has(String(path[0]));
  // No read can make use of it.
  if (first === undefined || ![first.column, ...groups].every(isKey)) return scan;
  const topOfEach = {
    by: Object.freeze(groups),
    order: Object.freeze(keys),
    rows,
    ties,
    // Of all rows, the first by an index that lacks some are tried as a whole, not partition by partition.
    nullsLast: nullsLast && groups.length > 0,
  };
  return withFields(scan, { topOfEach: Object.freeze(topOfEach) });
}
