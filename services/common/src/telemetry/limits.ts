/** Spans are sent by then when a process ends, or not at all. */
export const FLUSH_MS_MAX = 1_500;
/** One delivery to the collector, its retries included. */
export const EXPORT_MS_MAX = 5_000;
/** Calls of one span's work that get a span of their own: a scan of a large table makes thousands. */
export const CALL_SPANS_MAX = 100;
/**
 * How often the event loop's lag is looked at, milliseconds; the metrics have it added. A process wakes up for each look:
 * at the usual 10, that was most of what it did at rest.
 */
export const EVENT_LOOP_LOOK_MS = 100;
/** A gauge whose value takes longer to find is left out of that scrape. */
export const OBSERVE_MS_MAX = 500;
