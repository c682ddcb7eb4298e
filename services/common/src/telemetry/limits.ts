/** How long an ending process may take to send its spans. */
export const FLUSH_MS_MAX = 1_500;
/** One delivery to the collector, its retries included. */
export const EXPORT_MS_MAX = 5_000;
/** Calls of one span's work that get a span of their own: a scan of a large table makes thousands. */
export const CALL_SPANS_MAX = 100;
/**
 * How often the event loop's lag is measured, milliseconds; the measured lag includes this interval. A process wakes
 * up for each measurement: at the usual 10, that was most of its work at rest.
 */
export const EVENT_LOOP_LOOK_MS = 100;
/** A gauge whose value takes longer to find is left out of that scrape. */
export const OBSERVE_MS_MAX = 500;
