/** Every bound of the REST API; those that callers meet are in services/limits.md. */

/** Largest request body. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Longest statement, in UTF-8. */
export const SQL_BYTES_MAX = 64 * 1024;
/** Values for parameters: as many as a statement may have tokens. */
export const PARAMETERS_MAX = 10_000;

/** Largest form of an OAuth request or a hosted page. */
export const FORM_BYTES_MAX = 128 * 1024;
/** Most parameters of a form, or of the query string of /authorize and the hosted pages. */
export const FORM_PARAMETERS_MAX = 100;

/** Rows of one page. */
export const ROWS_MAX = 10_000;
export const DEFAULT_MAX_ROWS = 100;

/** What a caller may ask for as a query's own timeout. */
export const TIMEOUT_MS_MIN = 1_000;
export const TIMEOUT_MS_MAX = 300_000;
export const DEFAULT_TIMEOUT_MS = 60_000;
/** … and for a whole result, which has so long by itself, too: it is stopped by whoever does not want it any more. */
export const WHOLE_TIMEOUT_MS_MAX = 3_600_000;
/** Rows of a whole result, where a caller bounds it: what a message has room for. */
export const WHOLE_ROWS_MAX = 4_294_967_295;
/** What goes out as JSON in a header or a trailer, where it is at most so long: clients refuse longer ones. */
export const HEADER_JSON_CHARS_MAX = 8_192;
/** How long it is known why a whole result broke off, seconds. */
export const BROKEN_RESULT_KEPT_S = 15 * 60;
/**
 * The engine ends a query at its timeout and says so. If it says nothing, the gateway ends the query this much later.
 */
export const DEADLINE_GRACE_MS = 3_000;

/** At start: how long to wait for services before being ready without them. */
export const STARTUP_CONNECT_MS = 10_000;

/** Calls to services that only look something up. */
export const RPC_TIMEOUT_MS = 5_000;
/** Calls that read the caller's own account: refresh and role validation. */
export const ACCOUNT_RPC_TIMEOUT_MS = 120_000;
/** Calls in the background give up sooner, since they are repeated. */
export const POLL_TIMEOUT_MS = 1_500;

/** Page of the list of schemas: the service maximum, and the default. */
export const SCHEMAS_PER_PAGE_MAX = 100;
/** Names in an allowlist. */
export const ALLOWLIST_TABLES_MAX = 500;
/** Tables with a limit of their own of read units a second … */
export const READ_LIMIT_TABLES_MAX = 500;
/** … and what limits may say: units a second, and units of one query. */
export const UNITS_PER_SECOND_MAX = 1_000_000;
export const UNITS_PER_QUERY_MAX = 1_000_000_000;

/** `endDate` at most this long after `startDate`. */
export const USAGE_RANGE_DAYS_MAX = 366;
/** `startDate` where none is given: this long before `endDate`. */
export const DEFAULT_USAGE_RANGE_DAYS = 29;

/** Wrong tokens, codes, links and requests to /authorize from one address, together … */
export const WRONG_TOKENS_MAX = 300;
/** … and the time they are remembered, seconds. */
export const WRONG_TRIES_WINDOW_S = 900;

/** Revoked principals are looked up this often: a revocation counts within three seconds. */
export const REVOCATION_POLL_MS = 1_000;

/** What a PostgreSQL client does besides queries, signing in and describing, waits so long for its tenant's rate, seconds. */
export const PACE_S_MAX = 10;

/** A rate limit decision waits for Redis no longer than this, then falls back to this process's memory … */
export const LIMITER_WAIT_MS = 150;
/** … and leaves Redis alone for this long. */
export const LIMITER_REST_MS = 1_000;

/** A gateway takes tokens of a tenant ahead: at most this many, and at most this share of the burst … */
export const TOKENS_AHEAD_MAX = 25;
export const TOKENS_AHEAD_SHARE = 0.05;
/** … and gives them back when they were not needed for this long. */
export const TOKENS_AHEAD_MS = 250;

/** Time to send the whole of a request. */
export const REQUEST_TIMEOUT_MS = 60_000;
export const HEADERS_TIMEOUT_MS = 20_000;
/** Whoever does not read a response is cut off after this long … */
export const RESPONSE_GRACE_MS = 30_000;
/** … and the time that its bytes take at this rate: 158 s for a page of 8 MiB. */
export const RESPONSE_MIN_BYTES_PER_S = 64 * 1024;
/** How often the gateway looks for requests that arrive too slowly and for responses that nobody reads. */
export const RESPONSE_CHECK_MS = 5_000;

/** Longer than the idle time of usual load balancers, so that they close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** The public keys may be cached by whoever fetches them. */
export const KEY_SET_MAX_AGE_S = 60;

/** What auth says of a session of the console holds for so long, on each gateway: what ends it counts after that … */
export const CONSOLE_SESSION_KNOWN_MS = 2_000;
/** … and so many are known. */
export const CONSOLE_SESSIONS_KNOWN_MAX = 10_000;
/** From the console's page to the hosted login and back. */
export const CONSOLE_SIGN_IN_S = 600;
/** Where in the console a sign-in leads: path and query. */
export const CONSOLE_RETURN_CHARS_MAX = 2_000;
/** What is kept of what a browser says of itself. */
export const USER_AGENT_CHARS_MAX = 256;
/** Names that people give, to clients and the like … */
export const NAME_CHARS_MAX = 200;
/** … and to saved queries. */
export const SAVED_QUERY_NAME_CHARS_MAX = 120;
/** An e-mail address (RFC 5321, section 4.5.3.1.3, less the brackets). */
export const EMAIL_CHARS_MAX = 254;
/** As auth has them (its `limits.ts`): what a tenant's people can make in the console. */
export const TENANT_CLIENTS_MAX = 200;
export const TENANT_PEOPLE_MAX = 500;
export const SAVED_QUERIES_MAX = 200;
/** Of a budget, a day or a month. */
export const BUDGET_UNITS_MAX = 1_000_000_000_000;
/** Tables of one page of the console's catalog: as many as the registry lists. */
export const CATALOG_TABLES_PER_PAGE = 200;
