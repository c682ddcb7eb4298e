/** The cost of a statement before it is run, in words. */
import { units } from '../../../components/figures.ts';
import { readsIn, type PlanNode } from '../plan/parse-plan.ts';

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface Estimated extends Range {
  /** The likeliest; read units. */
  readonly expected: number;
}

/** A range that is wider than this is no headline: the expected units are. */
const WIDE = 2;

/** The plan's range, with what its reads are expected to cost together. */
export function estimated(tree: PlanNode | null, { low, high }: Range): Estimated {
  const reads = tree === null ? [] : readsIn(tree).flatMap(({ read }) => read?.estimate ?? []);
  const sum = reads.length === 0 ? high : reads.reduce((all, estimate) => all + estimate.units, 0);
  return { low, high, expected: Math.min(high, Math.max(low, sum)) };
}

const counted = (count: number): string => `${units(count)} ${count === 1 ? 'unit' : 'units'}`;

export interface SaidEstimate {
  readonly text: string;
  /** More than the limit is expected. */
  readonly isDear: boolean;
}

/** `limit`: read units at which a run is stopped; null: none. */
export function sayEstimate({ low, high, expected }: Estimated, limit: number | null): SaidEstimate {
  const isDear = limit !== null && expected > limit;
  const beyond = isDear
    ? ` over your ${units(limit)}`
    : limit !== null && high > limit
      ? `, stopped at your ${units(limit)}`
      : '';
  if (high === 0) return { text: 'Reads nothing: 0 units', isDear };
  if (low === high) return { text: `${counted(low)}${beyond}`, isDear };
  const about =
    high <= WIDE * low
      ? `About ${units(low)}–${units(high)} units`
      : `About ${counted(expected)} (${units(low)} to ${units(high)})`;
  return { text: `${about}${beyond}`, isDear };
}
