/** Counts a statement's read units and stops it at its limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UnitMeter } from '../dynamodb/read-table.ts';
import { LATE_PAGES_MS_MAX } from './limits.ts';
import { checkConsumed, type UnitLimit } from './unit-limit.ts';

export function createUnitMeter(): UnitMeter {
  let halfUnits = 0;
  let underWay = 0;
  let idle: PromiseWithResolvers<void> | null = null;
  const come = (): void => {
    if (--underWay > 0) return;
    idle?.resolve();
    idle = null;
  };
  return {
    add: (more) => void (halfUnits += more),
    underWay(answer) {
      underWay++;
      answer.then(come, come);
    },
    settled: () => (underWay === 0 ? null : (idle ??= Promise.withResolvers()).promise),
    get halfUnits() {
      return halfUnits;
    },
  };
}

/** Waits until all that was asked for has come and counts, but not for ever; does not wait where nothing is under way. */
export async function allCounted(meter: Pick<UnitMeter, 'settled'>): Promise<void> {
  const settled = meter.settled();
  if (settled === null) return;
  const enough = new AbortController();
  const late = sleep(LATE_PAGES_MS_MAX, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([settled, late]);
  enough.abort();
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
    underWay: (answer) => meter.underWay(answer),
    settled: () => meter.settled(),
    get halfUnits() {
      return meter.halfUnits;
    },
  };
}
