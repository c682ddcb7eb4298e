/** Bounds of Parquet files. */

/** Items of which a row group of a plain read is made, as they were read, bytes: what is read ahead of its first byte. */
export const GROUP_BYTES = 4 * 1024 * 1024;
/** Rows of a group; as many as DuckDB takes by itself. */
export const GROUP_ROWS_MAX = 122_880;
/** Rows of a group of the largest items. DuckDB's own least. */
export const GROUP_ROWS_MIN = 2_048;
/** Of rows that are sorted or grouped, a row group has about so many bytes, as far as what was read tells. */
export const COMPUTED_GROUP_BYTES = 16 * 1024 * 1024;
/** What is kept of row groups until the file ends, bytes: a hundred or so for each column of each. */
export const FOOTER_BYTES_MAX = 32 * 1024 * 1024;
/** Least and greatest value of a column's part, bytes; longer ones are left out. */
export const STATISTICS_BYTES_MAX = 160;
/** A fraction of more digits has room for more than were seen: it is measured or computed, no amount of money. */
export const AMOUNT_SCALE_MAX = 6;
/** Digits before the point that such a column has room for beyond those that were seen. */
export const SPARE_INTEGER_DIGITS = 4;
/** Digits after the point of such a column, at most. */
export const ROOMY_SCALE_MAX = 30;
/** Characters of a value that an error shows. */
export const SHOWN_VALUE_MAX = 40;
