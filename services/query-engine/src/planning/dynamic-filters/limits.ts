/** Bounds of choosing what drives what. */

/** Scans up to which each is tried as the one to begin with; beyond, the cheapest begins. */
export const LOOKAHEAD_SCANS_MAX = 16;
/** Drivers of one read: each is a query of its own, and something to wait for. */
export const FILTERS_MAX = 3;
/**
 * How much dearer than a plain read a driven one may be guessed to be, and yet be waited for: how many rows pass the
 * build side's own filters is a guess, and once they are counted the plain read is still there.
 */
export const GUESS_TOLERANCE = 4;
/**
 * The chance that a build side turns out to have no rows, so that nothing is read: what a sample says of its values' types is
 * then no matter. It may cost a tenth of what it spares.
 */
export const NO_VALUES_CHANCE = 0.1;
/** Read units that no keyed read goes below: there is nothing to win. */
export const UNITS_MIN = 0.5;
