/** Bounds of reading; each has one home, here. */

/** DynamoDB: keys of one BatchGetItem. */
export const batchKeysMax = 100;
/** A Limit above it says nothing: few pages of a megabyte hold as many items. */
export const limitMax = 100_000;
/** Requests of one read under way at once: each holds a page of some megabytes when it has come. */
export const pagesInFlightMax = 8;
/** Keys of one Query of an index's several ranges that are remembered, so that no item comes twice: some 20 MB of memory. */
export const rememberedKeysMax = 200_000;
/** After throttling: the first pause, the longest, and by how much at least each answer shortens it again. */
export const throttlePauseMsMin = 50;
export const throttlePauseMsMax = 5000;
export const throttleRecoveryMs = 25;
/** After so long without a throttling or an answer, requests are not held back any more. */
export const throttleForgottenMs = 10_000;
/** Tables, of all tenants, for which it is remembered how fast they may be read. */
export const pacersMax = 10_000;
/** What a caller is told to wait when a read was still throttled at its deadline. */
export const throttledRetryAfterS = 5;
/**
 * Where few items may be enough, a page asks for this part of those before it: so much is read in vain at most, and the
 * number of pages stays small.
 */
export const growingPagePart = 0.5;
