import type { Clock } from '@penstock/common/time/clock.ts';

/** The real time, moved forward by what a test says. */
export interface MovableClock extends Clock {
  forward(seconds: number): void;
}

export function movableClock(): MovableClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    forward(seconds) {
      aheadMs += seconds * 1000;
    },
  };
}
