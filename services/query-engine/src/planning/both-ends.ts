/**
 * MIN and MAX of a sort key by group, from the first item of each partition and the last: two reads, where together they cost
 * less than one of everything between them. Rows of both go through the aggregates, which do not mind one that comes twice.
 */
import type { TableRead } from '../dynamodb/table-read.ts';
import { outputColumns } from '../logical/output.ts';
import type { Aggregate, LogicalPlan, TableScan } from '../logical/plan.ts';
import { transformPlan, walkDeep, withFields } from '../logical/visit.ts';
import { copyPlan, freshIds, type FreshIds } from '../optimizer/copy-plan.ts';
import { topOfExtremes } from '../optimizer/top-of-each/of-extremes.ts';
import type { ChooseRead } from './share-reads.ts';

/** The scan that was told; the plan has one such scan, as one node was told. */
function toldScan(plan: LogicalPlan): TableScan | null {
  let found: TableScan | null = null;
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan' && node.topOfEach !== undefined) found = node;
    },
  });
  return found;
}

function scansOf(plan: LogicalPlan): number {
  let count = 0;
  walkDeep(plan, { plan: (node) => void (count += node.kind === 'TableScan' ? 1 : 0) });
  return count;
}

/** The input of the node, of which only the one end is read; null where it cannot be. */
function endOf(
  node: Aggregate,
  left: 'MIN' | 'MAX',
  chooseRead: ChooseRead,
): { input: LogicalPlan; read: TableRead } | null {
  const aggregates = node.aggregates.filter(({ call }) => call.name !== left);
  const told = topOfExtremes(withFields(node, { aggregates }));
  if (told.kind !== 'Aggregate' || told.input === node.input) return null;
  const scan = toldScan(told.input);
  const read = scan === null ? null : chooseRead(scan);
  // Of both ends, what is read otherwise would be read twice.
  if (read?.otherwise !== undefined) return null;
  return read?.path.kind === 'Query' && read.path.topOfEach !== undefined
    ? { input: told.input, read }
    : null;
}

function byBothEnds(node: Aggregate, chooseRead: ChooseRead, fresh: () => FreshIds): LogicalPlan {
  const names = new Set(node.aggregates.map(({ call }) => call.name));
  // Others would be asked of each row again.
  if (names.size !== 2 || !names.has('MIN') || !names.has('MAX') || scansOf(node.input) !== 1) return node;
  if (toldScan(node.input) !== null) return node;
  const [first, last] = [endOf(node, 'MAX', chooseRead), endOf(node, 'MIN', chooseRead)];
  if (first === null || last === null) return node;
  const { topOfEach: _, ...scan } = toldScan(first.input) as TableScan;
  if (first.read.estimate.units + last.read.estimate.units >= chooseRead(scan).estimate.units) return node;
  const ids = fresh();
  const input: LogicalPlan = Object.freeze({
    kind: 'SetOperation',
    operator: 'union',
    all: true,
    left: copyPlan(first.input, ids),
    right: copyPlan(last.input, ids),
    columns: outputColumns(node.input),
  });
  return withFields(node, { input });
}

/** The plan with two scans in place of one, where the ends of its partitions are all that is asked for. */
export function bothEndsByReading(root: LogicalPlan, chooseRead: ChooseRead): LogicalPlan {
  let ids: FreshIds | null = null;
  const fresh = (): FreshIds => (ids ??= freshIds(root));
  return transformPlan(root, (node) =>
    node.kind === 'Aggregate' && node.groupBy.length > 0 ? byBothEnds(node, chooseRead, fresh) : node,
  );
}
