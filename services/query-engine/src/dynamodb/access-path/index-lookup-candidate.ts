import type { SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { selectivityOf, sizeOf, unitsOfKeys } from './estimate.ts';
import { projects } from './index-coverage.ts';
import { queryCandidates } from './query-candidate.ts';

/** Whether all that the condition is about is in the index, so that a filter there means what it means in the table. */
export function isWithinIndex(
  condition: Condition,
  index: SecondaryIndex,
  table: TableScan['table'],
): boolean {
  switch (condition.kind) {
    case 'And':
    case 'Or':
      return condition.operands.every((operand) => isWithinIndex(operand, index, table));
    case 'Never':
    case 'Always':
    case 'Unknown':
      return true;
    default:
      return projects(index, table, String(condition.column.path[0]));
  }
}

/**
 * Keys from an index that lacks columns, then BatchGetItem: what the conjuncts leave of the index's items is read again
 * by key. None where its partition key is not bound.
 */
export function indexLookupCandidates(
  scan: TableScan,
  index: SecondaryIndex,
  conjuncts: readonly Condition[],
  consistent: boolean,
): readonly Candidate[] {
  // An entry's item may have gone since: then the next entry would have to take its place.
  const { topOfEach: _, ...whole } = scan;
  return queryCandidates(whole, index, conjuncts, consistent)
    .map((query) => lookupBy(query, scan, index, conjuncts, consistent))
    .filter((candidate) => candidate !== null);
}

function lookupBy(
  query: Candidate,
  scan: TableScan,
  index: SecondaryIndex,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate | null {
  if (query.path.kind !== 'Query') return null;
  const filtered = conjuncts.filter(
    (conjunct) => !query.exact.has(conjunct) && isWithinIndex(conjunct, index, scan.table),
  );
  const fetched = filtered.reduce(
    (items, conjunct) => items * selectivityOf(conjunct, scan.table),
    query.items,
  );
  const { ranges, descending, merged } = query.path;
  // Its ranges are read one after the other.
  const ordered = query.ordered && !merged;
  const inOrder = ordered && scan.orderHint.length > 0;
  return {
    ...query,
    path: { kind: 'IndexLookup', index: index.name, ranges, descending, inOrder },
    ordered,
    sideBySide: 1,
    units: query.units + unitsOfKeys(Math.max(1, fetched), sizeOf(scan.table, null), consistent),
    reason: `${query.reason}; it lacks columns, which are read by key`,
  };
}
