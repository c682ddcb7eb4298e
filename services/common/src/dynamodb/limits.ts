/** Bounds of talking to tenants' tables; each has one home, here. */

/** One call: connecting, waiting for the answer to begin, and the longest pause within it. */
export const DYNAMO_CONNECT_MS_MAX = 2000;
export const DYNAMO_ANSWER_MS_MAX = 30_000;
export const DYNAMO_PAUSE_MS_MAX = 30_000;
/** The SDK's own retries of a call, for lost connections and 5xx; throttling is the reader's business. */
export const DYNAMO_RETRIES_MAX = 2;
/** Sockets to one endpoint, shared by all tenants of a process. */
export const DYNAMO_SOCKETS_MAX = 256;
/** Clients kept by one process; the least recently used go first. */
export const DYNAMO_CLIENTS_KEPT = 1000;
/** An answer's body. DynamoDB's pages end at 1 MB of items (BatchGetItem: 16 MB), which JSON can make several times larger. */
export const DYNAMO_BODY_BYTES_MAX = 128 * 1024 * 1024;
/** A clock that is so far off AWS's is corrected, milliseconds: signatures are good for five minutes. */
export const CLOCK_OFF_MS_MAX = 5 * 60_000;
