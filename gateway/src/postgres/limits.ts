/** Every bound of the PostgreSQL endpoint; those that clients meet are in services/limits.md. */

/** Sessions of one process, those that have not signed in yet included … */
export const SESSIONS_MAX = 2_000;
/** … and of one tenant in it. */
export const SESSIONS_PER_TENANT_MAX = 500;
/** Connections that have not signed in yet: the longest waiting one of the address with the most leaves for another. */
export const HALF_OPEN_MAX = 500;
/** Time to sign in. */
export const SIGN_IN_TIMEOUT_MS = 10_000;

/** The message that opens a session, as in PostgreSQL. */
export const STARTUP_BYTES_MAX = 10_000;
/** A message of a signed-in client. A longer one is read to its end, forgotten, and answered with an error. */
export const MESSAGE_BYTES_MAX = 1024 * 1024;
/** What is said to be longer than this is no message. */
export const MESSAGE_CLAIM_BYTES_MAX = 0x3fff_ffff;
/** A message of a client that has not signed in. */
export const SIGN_IN_MESSAGE_BYTES_MAX = 8_192;
/** Bytes of messages that wait for their turn before no more are read from the connection. */
export const WAITING_BYTES_MAX = 64 * 1024;
/** A message that is longer takes of what those that are coming to its tenant's sessions in one process may take together. */
export const LONG_MESSAGE_BYTES = 16 * 1024;
export const TENANT_MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** What prepared statements and values of portals of a tenant's sessions in one process may take together. */
export const TENANT_BYTES_MAX = 64 * 1024 * 1024;
/** The name of a prepared statement or a portal, characters. */
export const NAME_CHARS_MAX = 1_024;
/** Messages of one session that are handled before others have their turn. */
export const SLICE_MS = 4;

/** Longest statement, in UTF-8: as over REST. */
export const STATEMENT_BYTES_MAX = 64 * 1024;
/** Statements of one simple query. */
export const STATEMENTS_PER_QUERY_MAX = 100;
/** Prepared statements of a session … */
export const PREPARED_MAX = 1_000;
/** … and what their texts take together, bytes. */
export const PREPARED_BYTES_MAX = 8 * 1024 * 1024;
/** Portals of a session that are open, cursors included: each may hold a running query. */
export const PORTALS_MAX = 20;
/** Values of parameters, as JSON, in bytes: what an engine takes. */
export const PARAMETERS_JSON_BYTES_MAX = 262_144;
/** Portals over the system catalogs of one transaction. */
export const PORTALS_OF_SERVER_MAX = 1_000;

/** A portal that nobody asked for rows for so long is ended. */
export const PORTAL_IDLE_MS = 300_000;
/** A client that has closed its side, and is therefore taken for gone, may still read what is answered in this time. */
export const HALF_CLOSED_MS = 900;
/** A connection whose last word is said stays so long for its client to read it. */
export const LINGER_MS = 1_000;
/** Bytes that wait to be sent before no more are made. */
export const UNSENT_BYTES_MAX = 256 * 1024;
/** A client that takes nothing of what waits for it for so long is cut off. */
export const UNREAD_TIMEOUT_MS = 60_000;
/** Bytes of messages that go out as one write. */
export const WRITE_BYTES = 32 * 1024;

/** How long a statement may take where the session says nothing (`statement_timeout`), and at most. */
export const STATEMENT_TIMEOUT_MS_MAX = 3_600_000;
/** To describe or to explain a statement. */
export const DESCRIBE_TIMEOUT_MS = 30_000;
/** Descriptions of a tenant's statements that are kept … */
export const DESCRIPTIONS_MAX = 500;
/** … with all their columns together, bytes about … */
export const DESCRIPTION_BYTES_MAX = 1_048_576;
/** … of so many tenants, those that asked last … */
export const DESCRIPTION_TENANTS_MAX = 50;
/** … and for how long: what is known of a table may change. */
export const DESCRIPTION_AGE_MS = 10_000;

/** A session that says nothing gives its backend on the tenant's server back after this long. */
export const BACKEND_IDLE_MS = 2_000;
/** How long one waits for a backend where others have all that the server gives. */
export const BACKEND_WAIT_MS_MAX = 5_000;

/** Statements over the system catalogs that one tenant runs at once in one process; others wait. */
export const CATALOG_STATEMENTS_PER_TENANT_MAX = 4;
/** How long such a statement may compute, the time that its client takes to read left out … */
export const CATALOG_STATEMENT_MS_MAX = 30_000;
/** … and to stop after it was told to, until its server is ended. */
export const CATALOG_STOP_MS_MAX = 2_000;
/** Connections in which a tenant's server tells what statements are about, and how long it may take for one. */
export const PLANNER_CONNECTIONS_MAX = 2;
export const PLANNING_MS_MAX = 5_000;
/** Statements of one server's sessions of which it is remembered what they are about. */
export const CLASSIFIED_KEPT_MAX = 1_000;
export const CLASSIFIED_CHARS_MAX = 4_096;
/** What is known of a tenant's tables is asked for anew after this long … */
export const TABLES_AGE_MS = 5_000;
/** … for so many tenants … */
export const TABLES_TENANTS_MAX = 200;
/** … and of so many tables each. */
export const TABLES_MAX = 5_000;
export const TABLES_PER_CALL = 200;

/** Open sessions are looked through this often for clients that were revoked. */
export const REVOCATION_CHECK_MS = 1_000;
/** An access token is renewed when it has less than this to live. */
export const TOKEN_RENEWAL_MS = 120_000;

/** What a balancer may say of a client before its first byte, besides the start of it. */
export const PROXY_HEADER_BYTES_MAX = 4_096;
/** Digits of numbers that `penstock.numeric` announces: as many as DynamoDB's numbers have. */
export const NUMERIC_DIGITS_MAX = 38;
