import { distinctPartitions } from './distinct-partitions.ts';
import { estimateRange, type EstimateRange } from './estimate-range.ts';
import type { SegmentRuns } from './partition-runs.ts';

/** Items of a partition where nothing bounds them; stored as JSON, which has no infinity. */
const RUN_ITEMS_MAX = 1e12;

/**
 * How many items a partition of the table has on average; null where nothing tells. `itemCount`: the items that the table
 * is known to have; 0: not known.
 *
 * The number of partitions, by how many each segment holds, tells best: that one of them has most of the items changes
 * nothing. It needs an item count that holds and segments that end. Where there are none, partitions that were read to
 * their ends have to do.
 */
export function itemsPerKey(runs: readonly SegmentRuns[], itemCount: number): EstimateRange | null {
  const items = runs.reduce((sum, run) => sum + run.items, 0);
  if (items === 0) return null;
  const byRuns = byEndedRuns(items, runs);
  if (itemCount === 0) return estimateRange(byRuns, { min: 1, max: RUN_ITEMS_MAX });
  const partitions = distinctPartitions(runs);
  const bounds = { min: 1, max: itemCount };
  // Every partition has an item. If there seem to be more partitions than items, segments or counts are not what they seem.
  const isContradicted = partitions.low > itemCount;
  if (partitions.high === Infinity || isContradicted) return estimateRange(byRuns, bounds);
  return estimateRange(
    {
      low: itemCount / partitions.high,
      estimate: itemCount / partitions.estimate,
      high: itemCount / partitions.low,
    },
    bounds,
  );
}

/** Log-likelihood below the best at which the range ends: about two standard deviations. */
const LOG_LIKELIHOOD_RANGE = 2;

/** Factor from the estimate within which an end of the range is looked for, and steps of doing so. */
const FACTOR_MAX = 1e6;
const SEARCH_STEPS = 60;

/**
 * By maximum likelihood as if the lengths of runs were exponentially distributed, of which the last of a page is known
 * only to be as long as was seen.
 */
function byEndedRuns(items: number, runs: readonly SegmentRuns[]): EstimateRange {
  const ended = runs.reduce((sum, run) => sum + run.endedRuns, 0);
  // If no run ended, the length at which that is as likely as not.
  if (ended === 0)
    return { low: items / LOG_LIKELIHOOD_RANGE, estimate: items / Math.LN2, high: RUN_ITEMS_MAX };
  const estimate = items / ended;
  const isWithin = (factor: number): boolean =>
    ended * (Math.log(factor) + 1 / factor - 1) < LOG_LIKELIHOOD_RANGE;
  return {
    low: estimate / lastFactor((factor) => isWithin(1 / factor)),
    estimate,
    high: estimate * lastFactor(isWithin),
  };
}

function lastFactor(isWithin: (factor: number) => boolean): number {
  let [inside, outside] = [1, FACTOR_MAX];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = Math.sqrt(inside * outside);
    if (isWithin(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
