/** Every limit of the schema registry: name, unit, why. */

/** Schemas on one page of a list; a `limit` above it is cut to it. */
export const SCHEMA_PAGE_MAX = 100;

/** Bytes of stored records on one page of a list, so that a page of long allowlists fits an RPC message. */
export const LIST_PAGE_BYTES_MAX = 2 * 1024 * 1024;

/** Schemas of a tenant, where no setting says another number. */
export const TENANT_SCHEMAS_MAX = 100;

/** How long a create that has a place may take until its record is written, milliseconds: then the place is free again. */
export const SCHEMA_PLACE_KEPT_MS = 120_000;

/** Names in an allowlist. */
export const ALLOWLIST_MAX = 500;

/** Times that a conditional write is tried again when another writer came first. */
export const WRITE_ATTEMPTS_MAX = 40;

/** Longest pause before such another try, milliseconds; the real one is random below it. */
export const WRITE_PAUSE_MS_MAX = 40;

/** Items up to which a sample reads a table whole, in one scan. */
export const SAMPLE_WHOLE_ITEMS_MAX = 256;

/** Parallel scan segments of a sample, and items asked of each, of a table that DynamoDB has not counted. */
export const UNCOUNTED_SEGMENTS = 4;
export const UNCOUNTED_SEGMENT_ITEMS = 64;

/** Segments that a round of a sample reads; fewer of items that are large. */
export const SAMPLE_SEGMENTS = 16;
export const SAMPLE_SEGMENTS_MIN = 4;

/** One in so many of them is read before the others. */
export const SAMPLE_FIRST_OF = 4;

/** Bytes that a segment of a sample is to hold, and items, so that it is read to its end for about a read unit. */
export const SAMPLE_SEGMENT_BYTES = 8192;
export const SAMPLE_SEGMENT_ITEMS_MIN = 2;
export const SAMPLE_SEGMENT_ITEMS_MAX = 16;

/** Bytes that one round of a sample reads. */
export const SAMPLE_ROUND_BYTES_MAX = 2 * 1024 * 1024;

/** Different partition keys from which a sample is enough, where their number is known to be between bounds so far apart. */
export const SAMPLE_KEYS_MIN = 16;
export const SAMPLE_SPREAD_MAX = 8;

/** Segments of a round that only looks for where the first partition is met. */
export const SAMPLE_PROBE_SEGMENTS = 4;

/** Segments of a round that counts partitions, about as many as it has segments. */
export const SAMPLE_EVEN_SEGMENTS = 24;
export const SAMPLE_EVEN_SEGMENTS_MAX = 32;

/** Read units that a sample is planned for where items are small, and that its last round has in any case. */
export const SAMPLE_UNITS = 26;
export const SAMPLE_ROUND_UNITS_MIN = 12;

/** Segments that DynamoDB allows a scan (API reference, "Scan": TotalSegments). */
export const SCAN_SEGMENTS_MAX = 1_000_000;

/** Where even the smallest segments are large: partitions to be read to their ends, and what is read of each segment. */
export const SAMPLE_ENDED_RUNS_MIN = 8;
export const SAMPLE_LONG_SEGMENTS = 8;
export const SAMPLE_LONG_ITEMS = 256;

/** Levels of map entries that are recorded below an attribute. */
export const NESTED_LEVELS_MAX = 3;

/** Entries recorded of one map (some maps are dictionaries, with a key for each user). */
export const NESTED_ATTRIBUTES_MAX = 100;

/** Attributes stored of a table, the most frequent first; keys are always among them. */
export const ATTRIBUTES_MAX = 1000;

/** Distinct values counted of an attribute. */
export const DISTINCT_VALUES_MAX = 256;

/** Bytes of one table's metadata as JSON, so that a page of tables fits an RPC message. */
export const METADATA_JSON_BYTES_MAX = 1024 * 1024;

/** Bytes of one table's metadata as stored; DynamoDB takes 400 KB an item, names and keys included. */
export const METADATA_STORED_BYTES_MAX = 380_000;

/** Days that an attribute stays known without being met by a sample. */
export const UNSAMPLED_ATTRIBUTE_DAYS_MAX = 30;

/** Bytes of the value of an index's partition key and sort key (DynamoDB developer guide, "Quotas": keys). */
export const PARTITION_KEY_BYTES_MAX = 2048;
export const SORT_KEY_BYTES_MAX = 1024;

/** Bytes of a number (the same page, "Data types"). */
export const NUMBER_BYTES_MAX = 21;

/** Days that an index counts as lacking items after a sample last met one that it lacks. */
export const LACKING_INDEX_DAYS_MAX = 30;

/** Days that metadata is kept without being written again; then DynamoDB's TTL removes it. */
export const METADATA_KEPT_DAYS = 30;

/** Age from which used metadata is refreshed in the background, milliseconds. */
export const METADATA_FRESH_MS = 60 * 60 * 1000;

/** Metadata younger than this is not read again because a reader found it outdated, milliseconds. */
export const OUTDATED_AGAIN_MS = 2_000;

/** Tables that one refresh, or one role validation works on at the same time. */
export const TABLE_CONCURRENCY = 4;

/** Tables of one statement that are resolved at the same time. */
export const RESOLVE_CONCURRENCY = 10;

/** A refresh that ended less than this ago is not repeated but answered as skipped, milliseconds. */
export const REFRESH_SKIP_MS = 30_000;

/** Time that a refresh asked for by REST may take, milliseconds. */
export const REFRESH_SYNC_MS_MAX = 50_000;

/** Of the time that a caller allows for a refresh, what is left for the answer, milliseconds. */
export const REFRESH_ANSWER_MS = 1_500;

/** Time that a background refresh may take, milliseconds. */
export const REFRESH_BACKGROUND_MS_MAX = 10 * 60 * 1000;

/** Lease on a schema's refresh, milliseconds; renewed while the refresh runs. */
export const REFRESH_LEASE_MS = 20_000;

/** How often the lease is renewed, milliseconds. */
export const REFRESH_RENEW_MS = 5_000;

/** How often a refresh looks whether the one it waits for has ended, milliseconds. */
export const REFRESH_WAIT_STEP_MS = 200;

/** Tables that a refresh names in its message as failed. */
export const REFRESH_FAILURES_NAMED_MAX = 4;

/** Time that validating a role may take, milliseconds. */
export const VALIDATE_ROLE_MS_MAX = 45_000;

/** Table-level failures that a role validation lists. */
export const VALIDATE_FAILURES_NAMED_MAX = 4;

/** Time that describing and sampling one table may take, milliseconds. */
export const TABLE_READ_MS_MAX = 20_000;

/** How long a name that DescribeTable did not know is taken as unknown, milliseconds, where a twin in case exists. */
export const ABSENT_TABLE_MS = 30_000;

/** Such names remembered by one process. */
export const ABSENT_TABLES_MAX = 10_000;

/** Time that a request waits for the queue to take its background refresh, milliseconds. */
export const ENQUEUE_MS_MAX = 500;

/** Background refreshes that one worker runs at the same time. */
export const REFRESH_JOB_CONCURRENCY = 4;
/** How long the creation of a schema waits for STS to say which account the service's own is. */
export const OWN_ACCOUNT_MS_MAX = 1_000;

/** How long a tenant that was seen to have a claim need not be looked up again, milliseconds; with what engines remember
 * of a table, a claim that an operator moves counts within five seconds. */
export const CLAIM_REMEMBERED_MS = 1_500;

/** Claims remembered by one process. */
export const CLAIMS_REMEMBERED_MAX = 10_000;

/** Times that a claim is tried again when another came first and let go. */
export const CLAIM_ATTEMPTS_MAX = 5;

/** Tenants that one claim may be lent to. */
export const CLAIM_LOANS_MAX = 20;

/** Tenants that a claim keeps as refused. */
export const CLAIM_REFUSED_MAX = 20;

/** Claims on one page of the operator's list. */
export const CLAIM_PAGE_MAX = 1_000;

/** Tables of a schema that have a limit of their own of read units a second. */
export const READ_LIMIT_TABLES_MAX = 500;

/** Read units a second that a limit may allow; DynamoDB's own quota of a table is far below. */
export const UNITS_PER_SECOND_MAX = 1_000_000;

/** Read units that a limit may allow one query: 4 TB at eventual consistency. */
export const UNITS_PER_QUERY_MAX = 1_000_000_000;

/** Paths and filters of a table of which it is kept what queries saw; those that were not reported for longest make way. */
export const LEARNED_KEYS_MAX = 32;
export const LEARNED_FILTERS_MAX = 64;

/** Keys, and items before a filter, that what queries saw counts as at most: so that data may change. */
export const LEARNED_KEYS_WEIGHT_MAX = 8;
export const LEARNED_ROWS_WEIGHT_MAX = 100;

/** Factor by which a learned figure has to change before planners are shown it: their plans are kept by version. */
export const LEARNED_CHANGE_FACTOR = 1.5;
