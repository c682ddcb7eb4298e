/** Bounds of what goes between an engine's host and its workers. Both have them from here. */

/** A message with its bytes. The largest is a page of rows, and one row has as many bytes as an item holds a few times. */
export const MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
/** Rows that a worker has sent and nobody has taken yet, bytes; then it waits, and so do its reads. */
export const ROWS_AHEAD_BYTES_MAX = 1024 * 1024;
/** Queries of one worker that DuckDB computes for, of which the work record holds the names. */
export const COMPUTING_RECORDED_MAX = 32;
/** A worker's file descriptors: from its host; to its host what is small and urgent; and its results. */
export const FROM_HOST_FD = 3;
export const TO_HOST_FD = 4;
export const RESULTS_FD = 5;
/** Queries of one worker whose reads are recorded: twice as many as all the places that settings may give. */
export const QUERIES_RECORDED_MAX = 10_240;
