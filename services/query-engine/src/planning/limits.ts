/** Bounds of planning. */

/** CTEs up to which each is tried by itself; of more, all are written out or none. */
export const CTES_TRIED_MAX = 8;

/**
 * An index that may lack rows that come last is read first where as many of its entries as are wanted cost no more than
 * this part of the read that has all: so much is lost where it has too few.
 */
export const INCOMPLETE_PART_MAX = 0.1;
/**
 * A filtered read in order is tried where it costs no more than this part of the certain read if all rows pass, since
 * there is little to win otherwise,
 */
export const LEAST_PART_MAX = 0.75;
/** and no more than this part of it as far as can be guessed: what is lost by a wrong guess is bounded while reading. */
export const LIKELY_PART_MAX = 1.5;

/** Reads of one table, by keys, that are compared with each other to find which are contained in which. */
export const CONTAINED_READS_MAX = 32;
