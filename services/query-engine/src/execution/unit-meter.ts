/** Counts a statement's read units and stops it at its limit. */
import type { UnitMeter } from '../dynamodb/read-table.ts';
import { checkConsumed, type UnitLimit } from './unit-limit.ts';

export function createUnitMeter(): UnitMeter {
  let halfUnits = 0;
  return {
    add: (more) => void (halfUnits += more),
    get halfUnits() {
      return halfUnits;
    },
  };
}

/**
 * Counts as `meter` does, and throws READ_UNIT_LIMIT beyond the limit. What has been consumed counts, also by the request
 * that went over it, and `before`: half units that count toward the limit already.
 */
export function limitedMeter(meter: UnitMeter, limit: UnitLimit | null, before = 0): UnitMeter {
  if (limit === null) return meter;
  return {
    add(more) {
      meter.add(more);
      checkConsumed(limit, before + meter.halfUnits);
    },
    get halfUnits() {
      return meter.halfUnits;
    },
  };
}
