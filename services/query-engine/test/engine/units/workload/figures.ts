/** What executions cost together, beside their minima. */
import type { Outcome } from './run-workload.ts';

export interface Figures {
  readonly queries: number;
  readonly units: number;
  readonly least: number;
  /** All units over all minima. */
  readonly ratio: number;
  /** Of single queries. */
  readonly p95: number;
  readonly worst: number;
  /** Queries that cost more than bounded regret allows. */
  readonly violations: number;
  /** The part of the queries that came out as plan mode said, from `low` to `high`. */
  readonly asSaid: number;
  /** The median of `high` over `low`. */
  readonly spread: number;
}

const HALF_UNIT = 0.5;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;

/** Less than half a unit is no read. */
const spreadOf = ({ estimate: { low, high } }: Outcome): number =>
  high === 0 ? 1 : high / Math.max(low, HALF_UNIT);

export const ratioOf = ({ units, least }: Outcome): number => (units === least ? 1 : units / least);

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const ratios = outcomes.map(ratioOf).sort((a, b) => a - b);
  const units = outcomes.reduce((sum, one) => sum + one.units, 0);
  const least = outcomes.reduce((sum, one) => sum + one.least, 0);
  return {
    queries: outcomes.length,
    units,
    least,
    ratio: units / least,
    p95: ratios[Math.ceil(ratios.length * 0.95) - 1] ?? 1,
    worst: ratios.at(-1) ?? 1,
    asSaid:
      outcomes.filter(({ units: actual, estimate: { low, high } }) => low <= actual && actual <= high)
        .length / Math.max(1, outcomes.length),
    spread: median(outcomes.map(spreadOf)),
    violations: outcomes.filter((one) => one.units > one.bound).length,
  };
}
