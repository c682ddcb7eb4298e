/** What one statement may ask for at most, beyond what the parser limits. */
export const BINDER_LIMITS = Object.freeze({
  /** Grouping sets that ROLLUP, CUBE and GROUPING SETS of one SELECT amount to. */
  groupingSetsMax: 256,
  /** Columns of one SELECT list, stars expanded. */
  outputColumnsMax: 5_000,
});
