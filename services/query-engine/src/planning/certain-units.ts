import { sumOfBounds, type UnitBounds } from '../dynamodb/access-path/unit-bounds.ts';
import type { PhysicalPlan } from './physical-plan.ts';

/**
 * What a statement costs at least and at most: what its reads cost together, each of which is made once. `low` and `high`
 * promise what those of each read do (see `ReadEstimate`).
 */
export function certainReadUnits({ reads }: Pick<PhysicalPlan, 'reads'>): UnitBounds {
  return sumOfBounds(reads.map(({ estimate }) => estimate));
}
