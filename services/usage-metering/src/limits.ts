/** Bounds of usage metering; each has one home, here. */

/** Stream entries drained together. */
export const drainBatchEntries = 1000;
/** Counters updated at the same time by one drain. */
export const drainConcurrency = 16;
/** One job drains for at most this long; what is left is for the next one. */
export const drainMsMax = 20_000;
/** How often the stream is drained. */
export const drainIntervalMs = 1000;
/** Tries of an update that another drainer got ahead of. */
export const conflictTriesMax = 10;
/** A summary drains the stream itself when it holds more than this, rather than read all of it. */
export const summaryBacklogEntriesMax = 5000;
/** How long a summary may spend on a backlog; then it answers from what it has. */
export const summaryBacklogMsMax = 3000;
/** Days from the first to the last of a summary (service-spec, usage summary). */
export const summaryDaysMax = 366;
