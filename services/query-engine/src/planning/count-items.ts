/**
 * COUNT of rows that their read alone makes sure of: nothing of the items is needed, so that DynamoDB is asked only how
 * many there are. It costs the same units, and next to no transfer.
 */
import { isPaged } from '../dynamodb/table-read.ts';
import type { Aggregate, LogicalPlan, TableScan } from '../logical/plan.ts';
import { expressionsOf, transformPlan, walkDeep, withFields } from '../logical/visit.ts';
import { tableKey, type ChooseRead } from './share-reads.ts';

/** The scan below predicates that are all known to its read. */
function knownScan(input: LogicalPlan): TableScan | null {
  if (input.kind === 'Project' && input.columns.length === 0) return knownScan(input.input);
  if (input.kind !== 'Filter' || input.input.kind !== 'TableScan') return null;
  const scan = input.input;
  return input.predicates.every((predicate) => scan.filter.includes(predicate)) ? scan : null;
}

/** Whether only the number of rows counts. */
function isCount(node: Aggregate): boolean {
  const plain = node.aggregates.every(
    ({ call }) => call.name === 'COUNT' && call.arguments.length === 0 && call.filter === null,
  );
  return (
    plain && node.aggregates.length > 0 && node.groupings.length === 0 && expressionsOf(node).length === 0
  );
}

/** Tables that the statement names once: a read that others share has rows that are not counted. */
function namedOnce(root: LogicalPlan): ReadonlySet<string> {
  const times = new Map<string, number>();
  walkDeep(root, {
    plan: (node) => {
      if (node.kind === 'TableScan') times.set(tableKey(node), (times.get(tableKey(node)) ?? 0) + 1);
    },
  });
  return new Set([...times].filter(([, count]) => count === 1).map(([key]) => key));
}

/** The plan without the filters, and columns, that such counts need no more. */
export function countsByReading(root: LogicalPlan, chooseRead: ChooseRead): LogicalPlan {
  const alone = namedOnce(root);
  return transformPlan(root, (node) => {
    if (node.kind !== 'Aggregate' || !isCount(node)) return node;
    const scan = knownScan(node.input);
    if (scan === null || scan.filter.length === 0 || !alone.has(tableKey(scan))) return node;
    const { path, isExact } = chooseRead(scan);
    if (!isExact || !isPaged(path)) return node;
    return withFields(node, { input: withFields(scan, { columns: [], filterColumns: scan.columns }) });
  });
}
