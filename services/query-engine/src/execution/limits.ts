/** Bounds of running a query. Those of the process (concurrency, memory) are settings: see `../limits.ts`. */

/** Rows that DuckDB takes and gives at a time. */
export const CHUNK_ROWS = 2048;
/**
 * What of a table is appended together, at most about: each time costs as much as a thousand rows, and what waits for it
 * is outside of DuckDB's memory limit.
 */
export const APPEND_ROWS = 8 * CHUNK_ROWS;
export const APPEND_BYTES = 512 * 1024;
/** Rows of one response, as JSON. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/**
 * Answers of a star's reads that are kept until its columns are known, as they came: attributes that the catalog lacks are
 * columns where all are kept.
 */
export const ANSWERS_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** The same of all statements of a process, and of a tenant's. One that finds no room keeps none. */
export const ANSWERS_KEPT_IN_ALL_BYTES_MAX = 64 * 1024 * 1024;
export const ANSWERS_KEPT_OF_TENANT_BYTES_MAX = 48 * 1024 * 1024;
/** What is read, and what is made of it, before CSV and Parquet say which columns they have. */
export const LOOKED_AHEAD_BYTES = 8 * 1024 * 1024;
/** JSON of one message of the result stream, about. */
export const BATCH_BYTES = 256 * 1024;
/** Rows made, checked or written as JSON before other queries may have their turn. */
export const SLICE_ROWS = 32;
/** A text or binary value of a constant that reads are planned by, bytes: no key is longer. */
export const FOLDED_BYTES_MAX = 2048;
/** All of these of a statement: they are kept with its plans. */
export const FOLDED_IN_ALL_BYTES_MAX = 16_384;
/** Queries that evaluating a statement's constants may take, where some of them fail. */
export const FOLDING_QUERIES_MAX = 24;
/** Tables read at the same time, per query. */
export const CONCURRENT_READS_MAX = 4;
/** How often a query that should stop is told so, until it has. */
export const INTERRUPT_EVERY_MS = 10;
/** Characters from which a number's text may be rounded as a double. */
export const INEXACT_DIGITS = 15;
/**
 * How long a query that has ended waits for pages that were asked for, which count, milliseconds: less than it may take to
 * stop (`STOP_MS_MAX` of its host).
 */
export const LATE_PAGES_MS_MAX = 500;
/** How often it is looked how large a file has become that DuckDB copies a result to, milliseconds. */
export const COPY_LOOK_MS = 100;
/** Items that a page of rows asks for at first, for each row that it wants, where nothing was read yet. */
export const FIRST_ITEMS_PER_ROW = 2;
/** And later, so many times as many as were read at most: few rows of few items may be chance. */
export const GUIDED_GROWTH_MAX = 8;
/** A page may be filled though fewer rows are expected, by this factor. */
export const GUIDED_ROWS_MARGIN = 2;
