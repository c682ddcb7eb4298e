/** A job that fails is tried this often in all, then kept as failed for people to look at. */
export const JOB_ATTEMPTS_MAX = 5;
/** Doubled after each attempt, ± half of it. */
export const JOB_BACKOFF_MS = 1_000;
/**
 * A job whose process has not renewed its lock for this long is given to another process. When that happens a second
 * time, the job is given up.
 */
export const JOB_LOCK_MS = 30_000;
/** Adding a job takes at most this long; then the caller hears that the queue is away. */
export const ADD_TIMEOUT_MS = 2_000;
/** Jobs are ordered by how many their tenant has added in so long, seconds … */
export const FAIR_WINDOW_S = 60;
/** … as far as BullMQ counts (2^21). */
export const FAIR_PRIORITY_MAX = 2_097_152;
/** A job whose tenant has another one running is looked at again after so long, milliseconds. */
export const TURN_WAIT_MS = 250;
/** How many ended jobs are kept, and how long: enough to see what happened. */
export const KEEP_COMPLETED = Object.freeze({ age: 3_600, count: 200 });
export const KEEP_FAILED = Object.freeze({ age: 14 * 86_400, count: 5_000 });
/** Dead letters listed, run again or removed at once, of each queue. */
export const DEAD_LETTERS_LISTED_MAX = 1_000;
/** Whoever looks at them learns within this time that Redis is away. */
export const DEAD_LETTER_CONNECT_MS = 3_000;
/**
 * A queue or worker that closes waits for Redis this long at most. Another worker takes up the jobs that it leaves.
 */
export const CLOSE_TIMEOUT_MS = 2_000;
