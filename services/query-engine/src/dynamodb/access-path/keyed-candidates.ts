import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { whyNotIndex } from './index-coverage.ts';
import { indexLookupCandidates } from './index-lookup-candidate.ts';
import { keyCandidate } from './key-candidate.ts';
import { queryCandidates } from './query-candidate.ts';

/** Columns that are wanted, or that predicates are about. */
export function knownColumns({ columns, filterColumns = [] }: TableScan): readonly ScanColumn[] {
  return filterColumns.length === 0 ? columns : [...columns, ...filterColumns];
}

/** Reads by whole keys, of partitions and of indexes that hold all that is wanted: the better ones first. */
export function keyedCandidates(
  scan: TableScan,
  conjuncts: readonly Condition[],
  consistent: boolean,
): readonly Candidate[] {
  const { table } = scan;
  const paths = knownColumns(scan).map(({ path }) => path);
  const indexes = table.indexes.filter(
    (index) => whyNotIndex(index, table, conjuncts, paths, consistent) === null,
  );
  const isTable = table.entriesOf === undefined;
  const byWholeKey = isTable ? keyCandidate(scan, conjuncts, consistent) : null;
  // Where whole keys are known, a Query can only win by reading neighbors along with them, and not when few are needed.
  const queriesTable =
    isTable && table.key.sortKey !== null && (byWholeKey === null || scan.limitHint === null);
  return [
    ...(byWholeKey === null ? [] : [byWholeKey]),
    ...[...(queriesTable ? [null] : []), ...indexes].flatMap((index) =>
      queryCandidates(scan, index, conjuncts, consistent),
    ),
  ];
}

/** Keys from indexes that lack what is wanted, then the items. */
export function lookupCandidates(
  scan: TableScan,
  conjuncts: readonly Condition[],
  consistent: boolean,
): readonly Candidate[] {
  const { table } = scan;
  const paths = knownColumns(scan).map(({ path }) => path);
  const isLacking = (index: (typeof table.indexes)[number]): boolean =>
    whyNotIndex(index, table, conjuncts, paths, consistent) !== null &&
    whyNotIndex(index, table, conjuncts, [], consistent) === null;
  return table.indexes
    .filter(isLacking)
    .flatMap((index) => indexLookupCandidates(scan, index, conjuncts, consistent));
}
