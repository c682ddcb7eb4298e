/** Which workload class a planned query belongs to. */
import { SHORT_QUERY_ROW_PAIRS_MAX, SHORT_QUERY_UNITS_MAX } from '../limits.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import type { WorkloadClass } from '../scheduling/admission.ts';

/**
 * Short: reads little, and cannot keep DuckDB busy whatever it does with the rows. By estimates, so what is short may turn
 * out to be long; `readsTooMuch` tells.
 */
export function workloadClassOf({ reads, bindings }: PhysicalPlan): WorkloadClass {
  const units = reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
  const pairs = [...bindings.values()].reduce(
    (product, { read }) => product * Math.max(1, reads[read]?.estimate.rows ?? 1),
    1,
  );
  return units <= SHORT_QUERY_UNITS_MAX && pairs <= SHORT_QUERY_ROW_PAIRS_MAX ? 'short' : 'long';
}

/** True once a query has read more than a short one may. */
export function readsTooMuch(halfUnits: number): boolean {
  return halfUnits > SHORT_QUERY_UNITS_MAX * 2;
}
