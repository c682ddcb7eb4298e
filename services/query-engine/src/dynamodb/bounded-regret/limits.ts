/** Bounds of choosing between lookups, whose price is not known before, and the certain path. */

/** Of an eventually consistent read, which costs half a unit for each 4 KB. */
export const BYTES_PER_UNIT = 8192;
/** What trying may cost beyond the certain path, as a part of it. */
export const REGRET_MAX = 0.1;
/** Above this part of the certain path's units, the least that the keys may cost leaves too little to win. */
export const WORTHWHILE_PART = 0.75;
/** Keys that a sample's estimate counts for, beside those that were looked up. */
export const SAMPLED_WEIGHT = 2;
/** Pages after which what they cost is taken for what the others will. */
export const PROBE_PAGES_MAX = 64;
/** Keys after which it is believed before that, that the others will cost far more than the certain path. */
export const TELLING_KEYS_MIN = 8;
/** How far: as a multiple of the certain path. */
export const TELLING_FACTOR = 2;
/**
 * Once so much was spent, as a multiple of the certain path, the rest is not looked up where it might cost more than that
 * path; and from the certain path's own units on, where it is expected to cost more than the third.
 */
export const SPENT_MAX = 1.25;
export const SPENT_LEFT_MAX = 0.25;
/** Requests of one round, and of the first ones at least. */
export const ROUND_REQUESTS_MAX = 32;
export const PROBE_REQUESTS_MIN = 4;
/** Requests of a round when each is expected to give so many units: their pages are in memory together. */
export const LARGE_PAGES_MAX = 8;
export const LARGE_PAGE_UNITS = 16;
/** Pages of the first rounds: their least units, as a multiple of the least read; and at most, as a part of what trying may cost. */
export const PROBE_PAGE_FLOORS = 2;
export const PROBE_PAGE_PART_MAX = 1 / 8;
/** Where lookups may read more than the certain path, as parts of it: what a page may cost later, and a round about. */
export const PAGE_PART_MAX = 1 / 64;
export const ROUND_PART_MAX = 1 / 4;
