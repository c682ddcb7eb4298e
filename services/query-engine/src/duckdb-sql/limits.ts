/** Bounds of the SQL that is written for DuckDB, which cannot be interrupted while it plans. */

/**
 * Operators, CASEs and calls inside each other: DuckDB plans them in time by the cube of their number. A chain of `+` and
 * `-`, of `*`, `||`, AND or OR is one level.
 */
export const EXPRESSION_LEVELS_MAX = 200;
/**
 * What DuckDB may take to plan the comparisons and conversions of values of several types in a statement, milliseconds of
 * CPU time about. A comparison of two such values takes six.
 */
export const PLANNING_WORK_MAX = 1_000;
/** Operands of `+`, `-` or `*` from which a chain is written as a list; fewer are faster as operators. */
export const LONG_CHAIN = 16;
/** Joins whose equalities DuckDB may compare with each other. */
export const JOINS_PLANNED_TOGETHER = 16;
/** The same where the values are of several types: each equality is three of long expressions. */
export const CONVERTED_JOINS_PLANNED_TOGETHER = 4;
/** Equalities of one column with constants from which an OR of them is written as a list. */
export const MANY_EQUALITIES = 8;
/** Constants from which a list is compared at once. */
export const LONG_LIST = 8;
/** A text that is read as a date or an instant, bytes: a longer one is none. */
export const INSTANT_TEXT_MAX = 256;
