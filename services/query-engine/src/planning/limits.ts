/** Bounds of planning. */

/** CTEs up to which each is tried by itself; of more, all are written out or none. */
export const CTES_TRIED_MAX = 8;
