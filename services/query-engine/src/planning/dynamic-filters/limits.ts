/** Bounds of choosing dynamically filtered scans. */

/** Up to this many scans, each is tried as the first one to read; with more, the cheapest is read first. */
export const LOOKAHEAD_SCANS_MAX = 16;
/** Filters of one scan. Each is a query of its own, for which the scan has to wait. */
export const FILTERS_MAX = 3;
/**
 * A filtered scan is still waited for when the least that its keys cost is estimated at up to this many times what would be
 * worth it. The estimate guesses how many rows pass the build side's own filters; once they are counted, the plain read can
 * still be chosen.
 */
export const GUESS_TOLERANCE = 4;
/** Filters that leave more than this part of the rows are taken to leave about as many as is estimated. */
export const TELLING_PART = 0.5;
/**
 * The chance that a build side has no rows, so that nothing is read, even where the sample says that its values cannot be
 * looked up. Waiting for it is worth a tenth of what it would save.
 */
export const NO_VALUES_CHANCE = 0.1;
/** The least that a read by key costs, read units: below it there is nothing to save. */
export const UNITS_MIN = 0.5;
/**
 * A read waits to see whether another side of its statement has any rows where that costs at most this part of it: waiting
 * then takes little longer, and may spare all of it.
 */
export const EMPTY_SIDE_PART_MAX = 1 / 4;
/** Sides that one read waits for. Each is a query of its own. */
export const EMPTY_SIDES_MAX = 4;
/** With more scans in a statement, none of its reads waits for another side. */
export const EMPTY_SIDES_SCANS_MAX = 16;
