/** Most rows that the grid holds: of 28 pixels each they stay below what browsers lay out. */
export const GRID_ROWS_MAX = 500_000;

/** Most bytes of rows that the grid holds. */
export const GRID_BYTES_MAX = 134_217_728;

/** Rows that are read at once, a screen or two; more come as one scrolls. */
export const FIRST_ROWS = 100;

/** Rows that are read beyond the last one seen. */
export const ROWS_AHEAD = 100;

/** How long a result waits to be wanted before the rest is let go, in milliseconds. Nothing is read meanwhile. */
export const PAUSE_MS_MAX = 300_000;

/** How often a running query is asked how far it is, in milliseconds. */
export const PROGRESS_MS = 700;

/** How long typing pauses before the statement is planned, in milliseconds. */
export const ESTIMATE_PAUSE_MS = 400;

/** Characters of a value that a cell shows; the side panel shows all of it. */
export const CELL_CHARS_MAX = 300;

/** Characters of a value that the side panel lays out; what is longer can be copied whole. */
export const PANEL_CHARS_MAX = 2_000_000;

/** Cells that are copied at once. */
export const COPIED_CELLS_MAX = 1_000_000;

/** Queries that are open beside each other. */
export const QUERY_TABS_MAX = 20;

/** Most bytes of rows that tabs hold which are not shown. */
export const HIDDEN_RESULT_BYTES_MAX = GRID_BYTES_MAX;

/** Runs that the history keeps. */
export const HISTORY_RUNS_MAX = 200;

/** Characters of all statements that the history keeps. */
export const HISTORY_CHARS_MAX = 1_000_000;

/** Rows that are sorted and filtered in the page. */
export const ARRANGED_ROWS_MAX = 100_000;

/** Rows that a chart draws. */
export const CHART_ROWS_MAX = 20_000;

/** Series that a chart draws. */
export const CHART_SERIES_MAX = 6;

/** Different values of a column that has a series each. */
export const CHART_SPLIT_VALUES_MAX = 100;

/** Tables of the catalog that completion knows. */
export const COMPLETED_TABLES_MAX = 5_000;
