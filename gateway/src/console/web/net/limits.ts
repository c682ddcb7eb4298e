/** Waits after each try that found Penstock away, in milliseconds. */
export const RETRY_WAITS_MS: readonly number[] = Object.freeze([300, 700, 1_500, 3_000, 5_000, 8_000]);

/** How long an answer may take that is not a query's result, in milliseconds. */
export const ANSWER_MS_MAX = 30_000;
