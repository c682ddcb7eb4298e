/** Bounds of usage recording; each has one home, here. */

/** How long a caller waits for Redis before its event goes to the spool. */
export const redisWaitMsMax = 200;
/** After a failed write, events go straight to the spool for this long: a hung Redis must not cost every request 200 ms. */
export const redisRestMs = 1000;
/** How long a caller waits for the disk, which can hang as Redis can. */
export const spoolWaitMsMax = 1000;
/** Where the disk refused an event, Redis is asked once more, for this long, also while it rests. */
export const lastResortWaitMsMax = 1000;
/** Said to who is refused because usage cannot be recorded. */
export const unableRetryAfterS = 1;
/** Events that nobody took, offered again at once, once the first of them was taken. */
export const owedBatchEvents = 100;
/** How often a process looks for spooled events to replay, and offers those again that nobody took. */
export const replayIntervalMs = 1000;
/** How long one replayed event may wait for Redis. */
export const replayWaitMsMax = 5000;
/** Events replayed at once. */
export const replayBatchEvents = 200;
/** A spool file that holds so many events is ended: it is replayed as a whole, and again as a whole if that breaks off. */
export const segmentEventsMax = 5000;
/** A segment of another process is taken over when nothing was written to it for this long. */
export const segmentIdleMs = 5000;
/** How long `close` tries to empty the spool; what is left waits on disk for the next process. */
export const closeReplayMsMax = 2000;
/** How long Redis remembers an event whose outcome its producer may not know (it may sit in a spool). */
export const seenLifetimeS = 86_400;
/** How long Redis remembers an event once its producer knows that it was written. */
export const seenAfterAckS = 900;
/** Acknowledged events told to Redis along with one write. */
export const acksPerWriteMax = 32;
/** Acknowledgements waiting to be told; beyond it the memory is left to `seenLifetimeS`. */
export const acksPendingMax = 10_000;
