/** Bounds of choosing between lookups, whose price is not known before, and the certain path. */

/** What trying may cost beyond the certain path, as a part of it. */
export const REGRET_MAX = 0.1;
/** Above this part of the certain path's units, the least that the keys may cost leaves too little to win. */
export const WORTHWHILE_PART = 0.75;
