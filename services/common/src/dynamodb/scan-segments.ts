/**
 * Segments of a scan that is shared by their numbers, in statements as the column `segment` and as PostgreSQL's blocks. It never
 * changes: ranges that are read by several statements would not fit together.
 */
export const SEGMENT_COUNT = 1024;
