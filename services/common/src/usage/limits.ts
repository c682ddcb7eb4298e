/** Bounds of usage recording; each has one home, here. */

/** How long a caller waits for Redis before its event goes to the spool. */
export const REDIS_WAIT_MS_MAX = 200;
/** After a failed write, events go straight to the spool for this long: a hung Redis must not cost every request 200 ms. */
export const REDIS_REST_MS = 1000;
/** How long a caller waits for the disk, which can hang as Redis can. */
export const SPOOL_WAIT_MS_MAX = 1000;
/** Where the disk refused an event, Redis is asked once more, for this long, also while it rests. */
export const LAST_RESORT_WAIT_MS_MAX = 1000;
/** When to come back, for callers that are refused because usage cannot be recorded. */
export const UNABLE_RETRY_AFTER_S = 1;
/**
 * Events that neither Redis nor the disk took: this many are offered again together, once the first of them was
 * taken.
 */
export const OWED_BATCH_EVENTS = 100;
/** How often a process looks for spooled events to replay, and offers those again that nobody took. */
export const REPLAY_INTERVAL_MS = 1000;
/** How long one replayed event may wait for Redis. */
export const REPLAY_WAIT_MS_MAX = 5000;
/** Events replayed at once. */
export const REPLAY_BATCH_EVENTS = 200;
/**
 * A spool file with this many events is ended. A file is replayed as a whole, and again as a whole if the replay
 * breaks off.
 */
export const SEGMENT_EVENTS_MAX = 5000;
/** A segment of another process is taken over when nothing was written to it for this long. */
export const SEGMENT_IDLE_MS = 5000;
/** How long `close` tries to empty the spool; what is left waits on disk for the next process. */
export const CLOSE_REPLAY_MS_MAX = 2000;
/** How long Redis remembers an event whose outcome its producer may not know (it may sit in a spool). */
export const SEEN_LIFETIME_S = 86_400;
/** How long Redis remembers an event once its producer knows that it was written. */
export const SEEN_AFTER_ACK_S = 900;
/** Acknowledged events told to Redis along with one write. */
export const ACKS_PER_WRITE_MAX = 32;
/** Acknowledgements waiting to be told; beyond it the memory is left to `SEEN_LIFETIME_S`. */
export const ACKS_PENDING_MAX = 10_000;
