import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { whyNotIndex } from './index-coverage.ts';
import { knownColumns } from './keyed-candidates.ts';
import { queryCandidates } from './query-candidate.ts';

export interface IncompleteTops {
  /** The scan's conjuncts, and one that says that the order's first column is there. */
  readonly conjuncts: readonly Condition[];
  readonly candidates: readonly Candidate[];
}

function isThere(column: ScanColumn): Condition {
  return { kind: 'IsNull', column, negated: true };
}

/**
 * The first items of each partition by indexes that may lack rows, but only rows that come last: those without the sort key.
 * Where a partition has as many items as are wanted, none of these is among the first. Where it has fewer, all has to be read
 * otherwise.
 */
export function incompleteTops(
  scan: TableScan,
  known: readonly Condition[],
  consistent: boolean,
): IncompleteTops | null {
  const { table, topOfEach, limitHint } = scan;
  const [first] = topOfEach?.order ?? [];
  if (topOfEach === undefined || !topOfEach.nullsLast || first === undefined || limitHint !== null)
    return null;
  const conjuncts = [...known, isThere(first.column)];
  const paths = knownColumns(scan).map(({ path }) => path);
  const candidates = table.indexes
    .filter((index) => whyNotIndex(index, table, conjuncts, paths, consistent) === null)
    .flatMap((index) => queryCandidates(scan, index, conjuncts, consistent))
    .filter(({ path }) => path.kind === 'Query' && path.topOfEach !== undefined);
  return { conjuncts, candidates };
}
