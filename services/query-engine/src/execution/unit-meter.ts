/** Counts a statement's read units and stops it at its limit. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { UnitMeter } from '../dynamodb/read-table.ts';

/** `maxReadUnits` null: no limit. What has been consumed counts, also by the request that went over the limit. */
export function createUnitMeter(maxReadUnits: number | null): UnitMeter {
  let halfUnits = 0;
  return {
    add(more) {
      halfUnits += more;
      if (maxReadUnits === null || halfUnits <= maxReadUnits * 2) return;
      throw new PenstockError(
        'READ_UNIT_LIMIT',
        `The query consumed more than ${maxReadUnits} read units and was stopped`,
        { detail: 'Narrow the query by key, or raise maxReadUnits' },
      );
    },
    get halfUnits() {
      return halfUnits;
    },
  };
}
