import type { EstimateRange } from './estimate-range.ts';
import type { SegmentRuns } from './partition-runs.ts';

/** Log-likelihood below the best at which the range ends: about two standard deviations. */
const LOG_LIKELIHOOD_RANGE = 2;

/** Steps of the searches for the best and for the ends of the range; each one narrows it to two thirds at least. */
const SEARCH_STEPS = 60;

/** The most distinct keys that are searched for, above every count that DynamoDB gives. */
const KEYS_MAX = 1e15;
const KEYS_MIN = 0.1;

/**
 * How many partitions a table has, by maximum likelihood. Their hashes lie evenly over the segments, so that one of T
 * segments holds Poisson(K / T) of them: those seen where it was read to its end, and at least so many where it was not.
 * That segments are equal ranges of hashes is not documented: who uses this checks it against the items counted. `high`
 * is Infinity where no segment ended that would bound it.
 */
export function distinctPartitions(segments: readonly SegmentRuns[]): EstimateRange {
  const groups = grouped(segments);
  const at = (logKeys: number): number => logLikelihood(Math.exp(logKeys), groups);
  const [min, max] = [Math.log(KEYS_MIN), Math.log(KEYS_MAX)];
  const best = highest(at, min, max);
  const enough = at(best) - LOG_LIKELIHOOD_RANGE;
  const isIn = (logKeys: number): boolean => at(logKeys) >= enough;
  return Object.freeze({
    low: Math.exp(lastWithin(isIn, best, min)),
    estimate: Math.exp(best),
    high: isIn(max) ? Infinity : Math.exp(lastWithin(isIn, best, max)),
  });
}

/** Segments that are alike, with their number: most of a sample's are. */
interface Group {
  readonly totalSegments: number;
  readonly keys: number;
  readonly cut: boolean;
  readonly count: number;
}

function grouped(segments: readonly SegmentRuns[]): readonly Group[] {
  const alike = Map.groupBy(segments, ({ totalSegments, keys, cut }) => `${totalSegments} ${keys} ${cut}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, count: group.length }];
  });
}

function logLikelihood(partitions: number, groups: readonly Group[]): number {
  return groups.reduce((sum, { totalSegments, keys, cut, count }) => {
    const mean = partitions / totalSegments;
    const one = cut ? logOfAtLeast(keys, mean) : keys * Math.log(mean) - mean;
    return sum + count * one;
  }, 0);
}

/** ln P(Poisson(mean) ≥ keys). */
function logOfAtLeast(keys: number, mean: number): number {
  if (keys === 0) return 0;
  // From the side that has the smaller part of the whole, so that no digit is lost.
  if (mean > keys) {
    let term = Math.exp(-mean);
    let below = 0;
    for (let i = 0; i < keys; i++) {
      below += term;
      term *= mean / (i + 1);
    }
    return Math.log1p(-Math.min(below, 1 - Number.EPSILON));
  }
  let term = 1;
  let rest = 0;
  for (let i = keys + 1; term > Number.EPSILON; i++) {
    rest += term;
    term *= mean / i;
  }
  return keys * Math.log(mean) - mean - logFactorial(keys) + Math.log(rest);
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let i = 2; i <= n; i++) sum += Math.log(i);
  return sum;
}

/** Where a function with one peak is highest. */
function highest(of: (x: number) => number, min: number, max: number): number {
  let [low, high] = [min, max];
  for (let step = 0; step < 2 * SEARCH_STEPS; step++) {
    const third = (high - low) / 3;
    if (of(low + third) < of(high - third)) low += third;
    else high -= third;
  }
  return (low + high) / 2;
}

/** The last place from `inside` toward `outside` where it holds. */
function lastWithin(holds: (x: number) => boolean, inside: number, outside: number): number {
  if (holds(outside)) return outside;
  let [last, first] = [inside, outside];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (last + first) / 2;
    if (holds(middle)) last = middle;
    else first = middle;
  }
  return last;
}
