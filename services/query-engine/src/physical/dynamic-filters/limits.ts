/** Bounds of choosing what drives what. */

/** Scans up to which each is tried as the one to begin with; beyond, the cheapest begins. */
export const LOOKAHEAD_SCANS_MAX = 16;
/** Drivers of one read: each is a query of its own, and something to wait for. */
export const FILTERS_MAX = 3;
/**
 * How much dearer than a plain read a driven one may be guessed to be, and yet be waited for: how many rows pass the
 * driver's own filters is a guess, and once they are counted the plain read is still there.
 */
export const GUESS_TOLERANCE = 4;
/** Read units that no keyed read goes below: there is nothing to win. */
export const UNITS_MIN = 0.5;
