/** A statement under its tenant's rate limit: whatever of it takes a request takes one. */

/** Resolves when the tenant may go on. Rejects with PenstockError RATE_LIMITED, or the signal's reason. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/** The same, which waits and counts the first time only. */
export function once(pace: Pace): Pace {
  let paced: Promise<void> | null = null;
  return (signal) => (paced ??= pace(signal));
}
