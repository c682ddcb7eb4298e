/**
 * MIN or MAX of a sort key that reading in its order answers: of one partition, the first item or the last is enough
 * (../../README.md, "Access paths").
 */
import { queryKey } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import { columnReference } from '../logical/build-expression.ts';
import { join, project } from '../logical/build-plan.ts';
import type { Aggregate, LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';
import { transformPlan, withFields } from '../logical/visit.ts';
import { withImpliedNotNull } from '../optimizer/rules/imply-not-null.ts';
import type { ChooseRead } from './share-reads.ts';

interface Extreme {
  readonly column: ScanColumn;
  readonly descending: boolean;
}

/** The scan below predicates that its read knows: each of its rows counts. */
function knownScan(input: LogicalPlan): TableScan | null {
  if (input.kind === 'TableScan') return input;
  if (input.kind !== 'Filter' || input.input.kind !== 'TableScan') return null;
  const { filter } = input.input;
  return input.predicates.every((predicate) => filter.includes(predicate)) ? input.input : null;
}

type Asked = Aggregate['aggregates'];

/** The one column and direction that all of these ask for. */
function extremeOf(aggregates: Asked, scan: TableScan): Extreme | null {
  const [first] = aggregates;
  const { name } = first?.call ?? {};
  const argument = first?.call.arguments[0];
  if ((name !== 'MIN' && name !== 'MAX') || argument?.kind !== 'ColumnReference') return null;
  const alike = aggregates.every(({ call }) => {
    const [value, ...others] = call.arguments;
    const same = value?.kind === 'ColumnReference' && value.column.id === argument.column.id;
    return call.name === name && same && others.length === 0 && call.filter === null;
  });
  const column = scan.columns.find(({ id }) => id === argument.column.id);
  return alike && column !== undefined ? { column, descending: name === 'MAX' } : null;
}

/**
 * Key values that sort in DynamoDB as in the residual query, and are never missing where they are read by. Of a sort key of
 * several attributes, which of them the rows are in the order of is what the read says.
 */
function isSortKey({ path }: TableRead, { table }: TableScan, column: ScanColumn): boolean {
  if (path.kind !== 'Query') return false;
  const { sortKeys } = queryKey(table, table.indexes.find(({ name }) => name === path.index) ?? null);
  const sortKey = sortKeys.find(({ name }) => column.path.length === 1 && column.path[0] === name);
  return sortKey !== undefined && sortKey.type !== 'B';
}

/** The aggregates over a scan of the one item that they ask for; null where its read cannot give just that. */
function byReading(node: Aggregate, aggregates: Asked, chooseRead: ChooseRead): Aggregate | null {
  const { input } = node;
  const scan = knownScan(input);
  const extreme = scan === null ? null : extremeOf(aggregates, scan);
  if (scan === null || extreme === null) return null;
  // NULL is neither the least nor the greatest, whatever else is asked of the rows.
  const notNull = withImpliedNotNull(scan, (id) => id === extreme.column.id);
  const asked = withFields(notNull, { orderHint: [extreme], limitHint: 1 });
  const read = chooseRead(asked);
  if (!read.ordered || read.stopAfter !== 1 || !isSortKey(read, scan, extreme.column)) return null;
  const below = input.kind === 'Filter' ? withFields(input, { input: asked }) : asked;
  return withFields(node, { input: below, aggregates });
}

/** The plan with scans that are told to read the one item that is asked for, where their reads can; one for each end. */
export function extremesByReading(root: LogicalPlan, chooseRead: ChooseRead): LogicalPlan {
  return transformPlan(root, (node) => {
    if (node.kind !== 'Aggregate' || node.groupBy.length > 0) return node;
    if (node.groupings.length > 0 || node.groupingSets !== null) return node;
    const ends = Map.groupBy(node.aggregates, ({ call }) => call.name);
    const parts = [...ends.values()].map((aggregates) => byReading(node, aggregates, chooseRead));
    const [one, other, ...more] = parts;
    if (!one || other === null || more.length > 0) return node;
    if (other === undefined) return one;
    const columns = node.aggregates.map(({ column }) => ({ column, expression: columnReference(column) }));
    return project(join('cross', one, other, []), columns);
  });
}
