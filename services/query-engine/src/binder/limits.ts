/** What one statement may ask for at most, beyond what the parser limits. */
export const BINDER_LIMITS = Object.freeze({
  /** Grouping sets that ROLLUP, CUBE and GROUPING SETS of one SELECT amount to. */
  groupingSetsMax: 256,
  /** Columns of one SELECT list, stars expanded. */
  outputColumnsMax: 5_000,
  /**
   * Columns of all tables, SELECTs and CTEs of a statement, stars expanded: each is handled by every step of planning.
   * 200 CTEs of 1,600 columns took 25 seconds.
   */
  statementColumnsMax: 10_000,
  /**
   * Columns that the NATURAL joins of a statement compare: about as many as its text has room for where they are written.
   */
  naturalColumnsMax: 2_500,
  /** Columns by which rows are ordered for a list: those of a join's sides add up, and a CTE that is joined to itself has twice its own. */
  orderKeysMax: 64,
  /** Fractions of one PERCENTILE_CONT or PERCENTILE_DISC: each row of the result holds a value for each. */
  fractionsMax: 100,
  /** Groups of a pattern of REGEXP_MATCH: the text is searched once for each. */
  matchGroupsMax: 9,
});
