/** Bounds of advice; each has one home, here. */

/** What costs no more is left as it is. */
export const ADVICE_UNITS_MIN = 10;
/** A change is worth a word where the statement costs so many times what it would cost then. */
export const ADVICE_FACTOR = 2;
/** Bounds of what a change would cost that are no further apart have a figure between them that is off by two at most. */
export const PROMISE_SPREAD_MAX = 4;
/** Reads that are looked at, those that cost most first, and changes that are tried of each: a plan anew for each. */
export const ADVISED_READS_MAX = 3;
export const CHANGES_MAX = 10;
/** A wider change is preferred to a simpler one where it costs at most this part of it. */
export const SIMPLER_PART = 0.7;
/** Expressions in the predicates of a scan: of longer ones no advice is given, since nobody has asked to wait for it. */
export const ADVISED_NODES_MAX = 300;
/** DynamoDB: global indexes of a table, unless its owner had more allowed. */
export const GLOBAL_INDEXES_MAX = 20;
/** The part of the items from which on a predicate that leaves out the others is taken for what was meant. */
export const NEARLY_ALL = 0.9;
/** Characters of a condition that are shown. */
export const SHOWN_CONDITION_LENGTH_MAX = 80;
