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

/** Items of a value, on average, up to which it is taken to have an item or two. */
export const NEARLY_UNIQUE_ITEMS_MAX = 1.5;
/** What partitions of few items cost at most, beside the least that a Query costs. */
export const SEVERAL_ITEMS_FACTOR = 2;
/** What keys that other reads find cost: so many times as much, or as little, as is expected. */
export const KEYS_FOUND_SPREAD = 1.3;
/** Bytes of the items of a partition that are taken for few: a quarter of what half a unit reads. */
export const FEW_BYTES_MAX = 1_024;
