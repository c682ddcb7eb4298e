/** The time, as something that can be handed in: tests set it, everything else uses `systemClock`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
