/** Bounds of statements over system catalogs; those that users meet are in services/limits.md. */

/** A longer statement is not looked at: it is none of a tool's. */
export const CATALOG_SQL_BYTES_MAX = 64 * 1024;
/** Levels of brackets, and of expressions inside of each other. */
export const NESTING_MAX = 200;
/** Nodes of what a statement is translated to, views of PostgreSQL's included. */
export const NODES_MAX = 50_000;
/** Rows of one answer. */
export const CATALOG_ROWS_MAX = 100_000;
/** Text of one answer, bytes about. */
export const CATALOG_ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** A statement's time in a worker, and how long it may take to stop after that until the worker is ended. */
export const CATALOG_STATEMENT_MS_MAX = 5_000;
export const CATALOG_STOP_MS_MAX = 500;
/** A statement that the processors gave less than half of its time may wait so many times as long. */
export const WAITED_PER_WORKED = 4;
/** DuckDB's memory in a worker, MiB. */
export const CATALOG_MEMORY_MB = 256;
/** What a statement may add to its worker's memory, DuckDB's own bookkeeping included, until the worker ends itself. */
export const CATALOG_GROWTH_MB_MAX = 384;
/** How often a worker looks at its memory while a statement runs. */
export const MEMORY_CHECK_MS = 10;

/** Processes that run these statements, and how long one waits for work until it ends. */
export const CATALOG_WORKERS_MAX = 2;
export const CATALOG_WORKER_IDLE_MS = 60_000;
/** Statements that wait, in all and of one tenant. */
export const CATALOG_WAITING_MAX = 2_000;
export const CATALOG_TENANT_WAITING_MAX = 500;
/** How long a tenant waits after a statement of its own ended a worker. */
export const CATALOG_OFFENSE_MS = 5_000;

/** Tenants whose databases a worker keeps: 40 MB each. */
export const TENANTS_KEPT_MAX = 4;
/** Columns of tables that a tenant's catalog shows: of tables beyond that the names alone. */
export const CATALOG_COLUMNS_MAX = 100_000;
/** Search paths of a tenant for which names are kept. */
export const SEARCH_PATHS_KEPT_MAX = 8;

/** Elements of a list that a function makes from two numbers. */
export const SERIES_MAX = 1_000_000;
/** Text that a function makes by repeating, bytes. */
export const REPEATED_BYTES_MAX = 1_000_000;

/** JavaScript's share of a worker's memory, and how long one may take to start. */
export const WORKER_HEAP_MB = 192;
export const WORKER_START_MS_MAX = 30_000;

/** Statements of which it is remembered what they read. */
export const CLASSIFIED_KEPT_MAX = 500;
export const CLASSIFIED_CHARS_MAX = 4096;
