/** Counts a statement's read units and stops it at its limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UnitMeter } from '../dynamodb/read-table.ts';
import { LATE_PAGES_MS_MAX } from './limits.ts';
import { checkConsumed, type UnitLimit } from './unit-limit.ts';

class StatementMeter implements UnitMeter {
  halfUnits = 0;
  private pages = 0;
  private idle: PromiseWithResolvers<void> | null = null;
  private readonly come = (): void => {
    if (--this.pages > 0) return;
    this.idle?.resolve();
    this.idle = null;
  };

  add(more: number): void {
    this.halfUnits += more;
  }

  underWay(answer: Promise<unknown>): void {
    this.pages++;
    answer.then(this.come, this.come);
  }

  settled(): Promise<void> | null {
    return this.pages === 0 ? null : (this.idle ??= Promise.withResolvers()).promise;
  }
}

export const createUnitMeter = (): UnitMeter => new StatementMeter();

/** Counts for another meter. Whoever makes more of what is added has a subclass. */
export class MeterBefore implements UnitMeter {
  protected readonly behind: UnitMeter;

  constructor(behind: UnitMeter) {
    this.behind = behind;
  }

  add(more: number): void {
    this.behind.add(more);
  }

  underWay(answer: Promise<unknown>): void {
    this.behind.underWay(answer);
  }

  settled(): Promise<void> | null {
    return this.behind.settled();
  }

  get halfUnits(): number {
    return this.behind.halfUnits;
  }
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
  return limit === null ? meter : new LimitedMeter(meter, limit, before);
}

class LimitedMeter extends MeterBefore {
  private readonly limit: UnitLimit;
  private readonly before: number;

  constructor(behind: UnitMeter, limit: UnitLimit, before: number) {
    super(behind);
    this.limit = limit;
    this.before = before;
  }

  override add(more: number): void {
    this.behind.add(more);
    checkConsumed(this.limit, this.before + this.behind.halfUnits);
  }
}
