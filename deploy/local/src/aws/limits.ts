/** Every limit of the local AWS endpoint, each with its unit. */

/** Largest DynamoDB request body, as on AWS. */
export const DYNAMODB_REQUEST_BYTES_MAX = 16 * 1024 * 1024;

/** Largest IAM or STS request body. */
export const QUERY_REQUEST_BYTES_MAX = 256 * 1024;

/** Largest body of the endpoint's own `/_faults`. */
export const CONTROL_REQUEST_BYTES_MAX = 1024 * 1024;

/** How far a request's `x-amz-date` may be from now, either way. */
export const SIGNATURE_SKEW_MS_MAX = 5 * 60 * 1000;

/** Derived signing keys and opened session tokens kept in memory; the cache is emptied when full. */
export const SIGNING_CACHE_ENTRIES_MAX = 1000;

/** Log entries kept for one account; the oldest go first. */
export const REQUEST_LOG_ENTRIES_MAX = 100_000;

/** Rules in one `PUT /_faults`. */
export const FAULT_RULES_MAX = 1000;

/** Longest latency a fault may add. */
export const FAULT_LATENCY_MS_MAX = 300_000;

/** Longest that an index may lag by a fault: a day. */
export const FAULT_INDEX_LAG_MS_MAX = 24 * 60 * 60 * 1000;

/** Session duration when the caller names none, and the bounds AWS sets. */
export const SESSION_SECONDS_DEFAULT = 3600;
export const SESSION_SECONDS_MIN = 900;
export const SESSION_SECONDS_MAX = 43_200;

/** A session made with another session's credentials lives an hour at most (role chaining). */
export const CHAINED_SESSION_SECONDS_MAX = 3600;

/** Sizes of policies, in characters without white space. */
export const TRUST_POLICY_CHARACTERS_MAX = 2048;
export const ROLE_POLICIES_CHARACTERS_MAX = 10_240;
export const SESSION_POLICY_CHARACTERS_MAX = 2048;

/** DynamoDB's caps on expressions (Developer Guide, "Quotas": expression parameters). */
export const EXPRESSION_BYTES_MAX = 4096;
export const EXPRESSION_OPERATORS_MAX = 300;
export const EXPRESSION_IN_OPERANDS_MAX = 100;
export const EXPRESSION_NAME_CHARACTERS_MAX = 255;
export const EXPRESSION_VALUES_BYTES_MAX = 2 * 1024 * 1024;

/** DynamoDB's caps on keys. */
export const PARTITION_KEY_BYTES_MAX = 2048;
export const SORT_KEY_BYTES_MAX = 1024;
export const BATCH_GET_KEYS_MAX = 100;

/** Attributes of the key of a table or a local index. */
export const TABLE_KEY_ATTRIBUTES_MAX = 2;

/** Attributes of a global index's partition key, and as many of its sort key. */
export const INDEX_KEY_ATTRIBUTES_MAX = 4;

/** Most that a page of Query or Scan reads. */
export const PAGE_BYTES_MAX = 1024 * 1024;

/** Operations in one TransactWriteItems. */
export const TRANSACTION_ITEMS_MAX = 100;

/** How long a store may take to start, and to answer one request. */
export const BACKEND_START_MS_MAX = 10_000;
export const BACKEND_ANSWER_MS_MAX = 60_000;

/** How long a store's file may be busy with the store's own writes. */
export const STORE_FILE_BUSY_MS_MAX = 5000;

/** Tries to start a store, each on a port of its own. */
export const BACKEND_START_ATTEMPTS_MAX = 5;

/** Connections to one store. */
export const BACKEND_CONNECTIONS_MAX = 256;

/** How long a store may take to end by itself when told to. */
export const BACKEND_STOP_MS_MAX = 2000;

/** How long DescribeTable waits for fresh sizes, with and without older ones to fall back on. */
export const TABLE_SIZE_REFRESH_MS_MAX = 300;
export const TABLE_SIZE_FIRST_MS_MAX = 5000;

/** Index entries read to estimate an index's size; below this many the size is exact. */
export const INDEX_SIZE_SAMPLE_ENTRIES = 1000;

/** How long open requests may take to finish when the endpoint closes. */
export const DRAIN_MS_MAX = 5000;

/**
 * How long a connection may be idle. AWS keeps idle connections for longer than clients do, so that a request seldom meets the end
 * of its connection; with five seconds, Node.js's own limit, requests do.
 */
export const IDLE_MS_MAX = 65_000;
