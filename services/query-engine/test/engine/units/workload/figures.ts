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
}

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
    violations: outcomes.filter((one) => one.units > one.bound).length,
  };
}
