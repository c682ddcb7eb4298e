/** Bounds of tenants' PostgreSQL servers; those that users meet are in services/limits.md. */

/** Servers that one process runs … */
export const SERVERS_MAX = 100;
/** … and of them for one tenant, which may give its clients' databases any name. */
export const SERVERS_PER_TENANT_MAX = 4;
/** A server that no session uses is ended after so long. */
export const SERVER_IDLE_MS = 600_000;
/** From its start to its first connection, the template's copy included. */
export const SERVER_START_MS_MAX = 20_000;
/** After a start that failed, the same server is not started again for so long. */
export const SERVER_START_PAUSE_MS = 1_000;
/** A server that was told to end at once and does not is killed. */
export const SERVER_END_MS_MAX = 1_000;

/** Connections of one server, those of planners and our own included. */
export const SERVER_CONNECTIONS_MAX = 100;
/** Connections that are kept for us. */
export const SERVER_RESERVED_CONNECTIONS = 3;
/** Locks on average for each connection; one may take all of them. 160 × 100 are enough for DDL_LOCKS_MAX and for pg_dump of 5,000 tables. */
export const LOCKS_PER_CONNECTION = 160;

/** Address space of one server process, KiB: 110 MB of it are there before it does anything. */
export const ADDRESS_SPACE_KIB_MAX = 450_000;
/** A file that a server process writes, KiB: catalogs of 100,000 columns take 30 MB. */
export const FILE_KIB_MAX = 131_072;
/** What a sort or a hash may take before it would write files, which it may not: an error. KiB. */
export const WORK_MEMORY_KIB = 32_768;
/** Snapshots that are exported at a time: each is a file. */
export const EXPORTED_SNAPSHOTS_MAX = 100;

/** Memory of a server's processes, bytes: what each has for itself, and once what they share. */
export const SERVER_BYTES_MAX = 256 * 1024 * 1024;
/** The same of all servers of this process: the largest goes first. */
export const ALL_SERVERS_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** How often memory is looked at … */
export const WATCH_MS = 1_000;
/** … and while a server has more than half of its share. */
export const WATCH_CLOSELY_MS = 100;
/** A server process works without a pause while it is about to run at each look, or worked so much of the time since the last … */
export const BUSY_SHARE = 0.5;
/** … and after so much processor time of that it comes after all others. */
export const BUSY_CPU_MS = 500;
/** Processor time of one statement: none over catalogs takes as long, and some parts of PostgreSQL hear of no timeout. */
export const STATEMENT_CPU_MS_MAX = 20_000;
/** A process of a server that is told to end, or a statement that is cancelled, has so long until the server is ended. */
export const OBEY_MS_MAX = 2_000;
/** A statement has at least so much processor time to hear of its cancel: on a busy machine that takes a while. */
export const OBEY_CPU_MS = 200;
/** A server process runs after ours … */
export const SERVER_NICENESS = 10;
/** … and one that is busy after all others. */
export const BUSY_NICENESS = 19;

/** Columns of tables that a server shows: of tables beyond that the names alone. */
export const CATALOG_COLUMNS_MAX = 100_000;
/** Columns of one table, and bytes of a name: PostgreSQL's own. */
export const TABLE_COLUMNS_MAX = 1_600;
export const NAME_BYTES_MAX = 63;
/** Columns of an index. */
export const INDEX_COLUMNS_MAX = 32;

/** Columns of a table that one statement changes: where more did, the table is made anew. */
export const ALTER_COLUMNS_MAX = 50;
/** A change of tables waits so long for a lock that a session has. */
export const DDL_LOCK_MS_MAX = 200;
/** After that, it is not tried again for so long. */
export const DDL_RETRY_MS = 1_000;
/** Locks that one transaction of a change takes, about: a change that needs more comes in several. */
export const DDL_LOCKS_MAX = 8_000;
/** Changes of tables after which catalogs are cleaned: there is no autovacuum. */
export const VACUUM_CHANGES = 1_000;
/** One transaction of a change. */
export const DDL_MS_MAX = 60_000;

/** That its owner is alive is told so often … */
export const OWNER_SIGN_MS = 60_000;
/** … and taken for dead after so long, where its process cannot be seen. */
export const OWNER_SILENT_MS_MAX = 600_000;
