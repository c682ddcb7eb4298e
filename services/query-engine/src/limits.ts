/** Bounds of the query engine's process. Those of a single run are in `execution/limits.ts`. */

/** Parsed and cross-checked statements that are kept. */
export const PARSED_KEPT = 500;
/** Fingerprints of statements, with what is known of them, that are kept. */
export const FINGERPRINTS_KEPT = 500;
/** Plans that are kept, by text, table versions and options. */
export const PLANS_KEPT = 500;
/** Memory that each kind of what is kept of statements may take, as far as it can be told from their size; bytes. */
export const STATEMENT_CACHE_BYTES_MAX = 33_554_432;
/** Statements of other dialects that are kept with what they say in ours. */
export const OFFERS_KEPT = 500;
/** Memory that these may take, bytes. */
export const OFFER_CACHE_BYTES_MAX = 4_194_304;
/** Readings of one statement, in different dialects, that an error offers. */
export const READINGS_OFFERED_MAX = 3;
/** A text that is longer, in characters, waits for the tenant's turn before it is looked at. */
export const TEXT_AT_ONCE_MAX = 4_096;
/** Catalog tables that are kept, over all tenants. */
export const CATALOG_TABLES_KEPT = 10_000;
/** Schemas over one role whose allowlists a host remembers at a time. */
export const SCHEMAS_OF_ROLE_KEPT = 100;
/** How long statements are planned without an index that DynamoDB denied, milliseconds. */
export const DENIED_INDEX_MS = 5 * 60 * 1000;

/** Denied indexes remembered by one process. */
export const DENIED_INDEXES_KEPT = 10_000;

/** Times that a statement is planned again because an index was denied or a table had changed. */
export const REPLANS_MAX = 10;

/** How long a catalog entry is used without asking the registry, milliseconds. */
export const CATALOG_FRESH_MS = 3_000;
/**
 * How old an entry may be when the registry does not answer, milliseconds: what an owner changes takes effect within
 * five seconds, whatever happens.
 */
export const CATALOG_STALE_MS_MAX = 5_000;
/** How far DuckDB's threads give way to those that answer: 19 is furthest, and 10 a tenth of the time of one at 0. */
export const COMPUTING_NICENESS = 10;
/** How long a query waits for the registry where an entry may still serve it, milliseconds. */
export const CATALOG_WAIT_MS_MAX = 500;
/** Longest wait for the registry: it may have to describe and sample tables. Milliseconds. */
export const REGISTRY_MS_MAX = 60_000;
/** Longest wait where all it has to say is whether tables are still as they were: then queries fail fast. Milliseconds. */
export const REGISTRY_CHECK_MS_MAX = 3_000;
/**
 * While the registry may take its time, it is asked this often whether it is there, milliseconds; one that does not say so
 * within REGISTRY_CHECK_MS_MAX is away.
 */
export const REGISTRY_PROBE_EVERY_MS = 1_000;
/** How long auth may take to say what budgets there are, and usage metering what was used of one, milliseconds. */
export const BUDGET_RPC_MS_MAX = 3_000;
/** Attributes that one query reports as new. */
export const REPORTED_ATTRIBUTES_MAX = 100;

/** Paths, and filters, of a table of which a statement tells what its reads saw; as many as the registry takes. */
export const REPORTED_READS_MAX = 32;

/** Reads of a plan of which a whole result says what they came to. */
export const SAID_READS_MAX = 100;

/** What reads saw is told the registry so often at most, milliseconds: queries of that time together. */
export const READ_REPORT_MS = 2_000;

/** Tables of which an engine's reads are told at a time; what is seen of others meanwhile is not. */
export const READ_REPORT_TABLES_MAX = 1_000;
/** Rows that the steps of a statement's WITH RECURSIVE may make, all together: some four seconds of a step for each. */
export const RECURSION_ROWS_MAX = 250_000;
/** Rows that DuckDB computes at a time. */
export const VECTOR_ROWS = 2_048;
/**
 * What the functions of a statement may hold of texts at a time, UTF-8 bytes: it is outside of DuckDB's memory limit. Also
 * what they read before DuckDB looks whether it is to stop, about a second of the slowest.
 */
export const STATEMENT_TEXT_BYTES_MAX = 268_435_456;
/** Pairs of characters that functions of two texts compare before DuckDB looks whether it is to stop: about a second. */
export const COMPARED_PAIRS_MAX = 150_000_000;
/** A text that REPEAT, LPAD or RPAD makes, UTF-8 bytes; a statement of many rows may make shorter ones only. */
export const REPEATED_TEXT_BYTES_MAX = 65_536;
/**
 * A text that joining, replacing or encoding makes, UTF-8 bytes: more than twice what an item can hold. Of many rows, a
 * statement may make, and work on, shorter ones only.
 */
export const MADE_TEXT_BYTES_MAX = 1_048_576;
/** An expression as it is written for DuckDB, characters: some forms name an operand twice, so nesting multiplies it. */
export const WRITTEN_EXPRESSION_MAX = 4_000_000;
/**
 * Elements of a list that UNNEST makes rows of: DuckDB makes the lists of 2048 rows at a time, 32 bytes for each element,
 * outside of its memory limit.
 */
export const UNNESTED_ELEMENTS_MAX = 4_096;
/** Rows that one call of generate_series makes. */
export const SERIES_ROWS_MAX = 1_000_000;
/** Long queries that run at the same time in a process. */
export const CONCURRENT_QUERIES = 16;
/** Short ones, and those that are being planned: most of their time they wait for an answer. */
export const CONCURRENT_SHORT_QUERIES = 64;
/**
 * What one tenant may have of either, of the pages being read and of the statements in DuckDB, percent: the next tenant
 * finds a place at once, whoever was there before.
 */
export const TENANT_SHARE_PERCENT = 75;
/** Queries that wait for their turn, short and long ones each; more are refused. */
export const WAITING_QUERIES = 128;
/** A short query reads no more units than these, as far as can be told; one that reads more goes on as a long one. */
export const SHORT_QUERY_UNITS_MAX = 32;
/** And its tables have no more rows than these when each is paired with each: what DuckDB may have to do at worst. */
export const SHORT_QUERY_ROW_PAIRS_MAX = 1_000_000;
/** Pages of long queries that a process asks for or decodes at a time: each is a megabyte or more of memory. */
export const PAGES_IN_FLIGHT = 64;
/**
 * How long a long query works before the process looks for other work, milliseconds: what a key read waits at each of its
 * steps.
 */
export const SLICE_MS = 1;
/** How long a statement is planned before the process looks for other work, milliseconds, where a step is not longer. */
export const PLANNING_SLICE_MS = 5;
/** What planning leaves free after a slice, in lengths of the slice, while other tenants are there. */
export const PLANNING_GAP_SLICES = 3;
/** And no longer than this, milliseconds: a key read has several of its steps in it. */
export const PLANNING_GAP_MS_MAX = 100;
/** Between the slices of long queries while a short one runs, milliseconds: they get on at a third of their pace. */
export const SLICE_GAP_MS = 2;
/** For how long after its start, milliseconds: one that lasts longer waits for something else. */
export const PRIORITY_WINDOW_MS_MAX = 50;
/** A query that found no memory beside other tenants' runs again elsewhere, if it has read no more than this, half units. */
export const CROWDED_OUT_HALF_UNITS_MAX = 8_192;
/** A result whose reader has taken nothing for so long, milliseconds, gives its place to others … */
export const PAUSED_AFTER_MS = 500;
/** … and so many such results an engine keeps, each with up to 8 MB of rows; of one tenant, its share of places. */
export const PAUSED_RESULTS_MAX = 32;
/** … of which one that has waited for so long, milliseconds, makes room for the next. */
export const PAUSED_IDLE_MS = 30_000;
/** What a refused query is told to wait, seconds. */
export const RETRY_AFTER_S = 1;
/** What the JavaScript heap may grow by, over what was alive, before it is collected. */
export const HEAP_GROWTH_PERCENT = 300;
/** Credentials that a worker keeps, by tenant and access. */
export const WORKER_CREDENTIALS_KEPT = 1_000;
/** How long a worker uses credentials before it asks its host again, milliseconds: the host renews them in time. */
export const WORKER_CREDENTIALS_FRESH_MS = 60_000;
/** How often a worker tells what it measures, milliseconds. */
export const WORKER_METRICS_EVERY_MS = 1_000;
/** And at the latest after so many values of one kind. */
export const WORKER_METRIC_VALUES_MAX = 1_000;
/** How often a worker looks whether its host is there, milliseconds. */
export const HOST_LOOK_MS = 1_000;
/** How often a worker tells how much memory it has, milliseconds, while it has queries. */
export const WORKER_STATUS_EVERY_MS = 5_000;
/** Resident memory of its own that a worker may have, MiB. */
export const WORKER_MEMORY_MB = 640;
/** What warming up a worker may take, milliseconds. */
export const WARM_UP_MS_MAX = 10_000;
/** Of a page: rows, and how long it may take, milliseconds. A whole result has no such bound of rows, and an hour. */
export const PAGE_ROWS_MAX = 10_000;
export const PAGE_TIMEOUT_MS_MAX = 300_000;
