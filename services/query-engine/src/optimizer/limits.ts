/** Limits of the optimizer. */

/** Rounds of the rewriting rules; they nearly always change nothing more after three. */
export const ROUNDS_MAX = 12;

/**
 * Nodes by which a predicate may grow when a projection's expressions are put into it. Without a bound, projections on
 * top of each other (`x + x`, again and again) would double it every time.
 */
export const SUBSTITUTION_GROWTH_NODES_MAX = 100;

/** Values of an IN list that is carried over to another table's column. */
export const TRANSFERRED_VALUES_MAX = 1000;

/** Predicates that one group of joins gets by carrying constants over. */
export const TRANSFERRED_PREDICATES_MAX = 256;

/** Digits of numbers that are compared while planning; longer ones are left to the engine. */
export const FOLDED_DIGITS_MAX = 18;

/** Constants of a statement that the engine evaluates before it is planned; further ones stay as they are written. */
export const FOLDED_CONSTANTS_MAX = 256;

/** Copies of CTEs that a statement may come to: CTEs that use each other twice would double it each time. */
export const CTE_COPIES_MAX = 64;

/** Layers of a condition that are peeled off to find a key, and its own nesting. */
export const TURN_AROUND_DEPTH_MAX = 64;
/** Values of an IN list that is turned around. */
export const TURN_AROUND_VALUES_MAX = 1000;
/** Steps that turning one conjunct around may take. */
export const TURN_AROUND_STEPS_MAX = 8000;
/** Ways in which the texts of a column may begin, where what stands behind them is turned around. */
export const BEGINNINGS_MAX = 100;
