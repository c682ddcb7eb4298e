/** Every bound of the tools; those that agents meet are in the tools' own descriptions. */

/** Rows of one `run_sql` call: what a model can take in. */
export const TOOL_ROWS_MAX = 1_000;
export const DEFAULT_TOOL_ROWS = 100;
/** Usual clients stop waiting after a minute. A statement ends sooner, so that the agent learns why. */
export const TOOL_QUERY_TIMEOUT_MS = 55_000;

/** Text and structured content of one result together: what a model can take in, and a gateway can hold. */
export const TOOL_OUTPUT_BYTES_MAX = 256 * 1024;
/** The part of it that rows may take. They come twice, in the text and in the structured content … */
export const TOOL_ROWS_BYTES_MAX = 80 * 1024;
/** … and the part for names and types of columns, which come twice, too. */
export const TOOL_COLUMNS_BYTES_MAX = 40 * 1024;
/** A described table, as text and as structured content together: either is some 7,000 tokens. */
export const TOOL_TABLE_BYTES_MAX = 48 * 1024;
/** Longest part of a name that columns are looked for by. */
export const SEARCH_CHARS_MAX = 100;
/** A plan's text, and the statement as it was understood. */
export const TOOL_PLAN_BYTES_MAX = 48 * 1024;
/**
 * All results of one request together. Its calls run one after the other, and the one that reaches this is the last.
 */
export const BATCH_OUTPUT_BYTES_MAX = 1024 * 1024;

/** Tables of one `list_tables` call. */
export const TABLES_PER_CALL_MAX = 200;

/** Names of schemas and tables, and cursors. */
export const NAME_CHARS_MAX = 255;
export const CURSOR_CHARS_MAX = 4_096;

/** Messages of one request: protocol revision 2025-03-26 may batch, all others send one. */
export const MESSAGES_MAX = 20;

/** A browser asks again whether its page may call after this long. */
export const PREFLIGHT_MAX_AGE_S = 600;

/** How long clients may keep lists of tools, prompts and resources: these change with a release only. */
export const LISTS_TTL_MS = 300_000;

/** Tokens that a gateway remembers as good a moment ago. */
export const GOOD_TOKENS_MAX = 10_000;
