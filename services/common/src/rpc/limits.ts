/** Largest message either side takes: a whole result page (8 MiB) and room. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** What a stream may send ahead of its reader. HTTP/2's own 64 KiB are over at once, and each time more costs a message. */
export const STREAM_WINDOW_BYTES = 256 * 1024;
/** A caller may not make us work for longer than this on one call: the longest query, an hour, and its answer. */
export const CALL_MS_MAX = 3_630_000;
/** How long calls in flight may take to finish when a server closes. */
export const DRAIN_TIMEOUT_MS = 10_000;
/**
 * Connections are renewed after this long, so that clients look up names again and find new replicas. They do so at
 * no other time while all is well. A renewal costs a handshake and fails no call.
 */
export const CONNECTION_AGE_MS_MAX = 10_000;
/** A client notices a dead peer after interval and timeout together. */
export const KEEPALIVE_INTERVAL_MS = 20_000;
export const KEEPALIVE_TIMEOUT_MS = 5_000;
/** Between attempts to connect again. */
export const RECONNECT_BACKOFF_MS = Object.freeze({ initial: 100, max: 2_000 });
/** Attempts of a call that may be repeated, the first included. */
export const ATTEMPTS_MAX = 3;
