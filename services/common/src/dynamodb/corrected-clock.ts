/** The time by which requests are signed: AWS refuses those whose signature is of another time than its own. */
import { CLOCK_OFF_MS_MAX } from './limits.ts';

export interface CorrectedClock {
  now(): Date;
  /**
   * Takes the time that an answer names for AWS's where this clock is off by minutes, as the SDK's clients do. True where
   * that changed it.
   */
  correct(date: string | undefined): boolean;
}

export function createClock(): CorrectedClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    correct(date) {
      const theirs = date === undefined ? NaN : Date.parse(date);
      if (!(Math.abs(theirs - (Date.now() + offsetMs)) >= CLOCK_OFF_MS_MAX)) return false;
      offsetMs = theirs - Date.now();
      return true;
    },
  };
}
