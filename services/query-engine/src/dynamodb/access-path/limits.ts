/** Bounds of planning reads; each has one home, here. Those of DynamoDB: developer guide, "Quotas and limits". */

/** DynamoDB: operands of IN. */
export const inOperandsMax = 100;
/** DynamoDB: an expression's text. */
export const expressionBytesMax = 4096;
/** DynamoDB: operators and functions in an expression. */
export const expressionOperatorsMax = 300;
/** DynamoDB: bytes of a partition key's and a sort key's value. */
export const partitionKeyBytesMax = 2048;
export const sortKeyBytesMax = 1024;
/** DynamoDB: bytes of a number. */
export const numberBytesMax = 21;

/** Keys that one read may name, or partitions: beyond it, it is planned as if they were not bound. */
export const keysMax = 100_000;
/** Branches of an OR that are followed to find keys. */
export const branchesMax = 1000;
/** Conjuncts that are looked at, for one key, to follow the branches of ORs. */
export const orLooksMax = 20_000;
/** The same for all keys of a table together, to read each branch by a key of its own. */
export const unionLooksMax = 10_000;
/** Comparisons of predicates with key ranges to find which of them need no other check. */
export const exactnessChecksMax = 200_000;
/** Comparisons of predicates with segments of a scan to find which may be left out. */
export const segmentChecksMax = 200_000;
/** ORs whose branches are read each by another key; their branches at most. */
export const unionBranchesMax = 20;
/**
 * The first items of partitions of an index that may lack rows are read where that costs no more than this part of the read
 * that has all: so much is lost where a partition has too few.
 */
export const incompleteTopPartMax = 0.1;
/** Partitions that are read side by side to merge them in the order of their sort keys. */
export const mergedPartitionsMax = 100;
/** A first page that may be enough is no smaller: what it saves would be less than another request. */
export const firstPageBytesMin = 8 * 1024;
/** Reads that cost less are not begun with small pages, unless partitions are merged. */
export const growingPagesUnitsMin = 64;
/** DynamoDB: bytes of an item. */
export const itemBytesMax = 400 * 1024;
/** DynamoDB: bytes of a page. */
export const pageBytesMax = 1024 * 1024;
/**
 * A parallel scan has a segment for each so many bytes, no more: it is to leave capacity to whom the table is for
 * (developer guide, "Parallel scan": "one segment per 2 GB of data").
 */
export const segmentBytes = 2 * 1024 * 1024 * 1024;
export const segmentsMax = 16;
/** A scan above so many units is worth a warning when an index could have served it. */
export const largeScanUnits = 1000;
/** Characters of a filter's form, as the registry takes them; longer ones are hashed. */
export const filterFormCharsMax = 200;
