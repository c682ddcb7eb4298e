/** Bounds of usage metering; each has one home, here. */

/** Stream entries drained together. */
export const DRAIN_BATCH_ENTRIES = 1000;
/** Counters updated at the same time by one drain. */
export const DRAIN_CONCURRENCY = 16;
/** One job drains for at most this long; what is left is for the next one. */
export const DRAIN_MS_MAX = 20_000;
/** How often the stream is drained. */
export const DRAIN_INTERVAL_MS = 1000;
/** Tries of an update that another drainer got ahead of. */
export const CONFLICT_TRIES_MAX = 10;
/** A summary drains the stream itself when it holds more than this, rather than read all of it. */
export const SUMMARY_BACKLOG_ENTRIES_MAX = 5000;
/** How long a summary may spend on a backlog; then it answers from what it has. */
export const SUMMARY_BACKLOG_MS_MAX = 3000;
/** Days from the first to the last of a summary. */
export const SUMMARY_DAYS_MAX = 366;

/** Counters that one call reads at the same time. */
export const SUMMARY_CONCURRENCY = 8;
