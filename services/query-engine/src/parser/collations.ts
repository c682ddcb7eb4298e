/** Orders of text that are the only one there is: by UTF-8 bytes. As PostgreSQL, DuckDB and the standard name them. */
export const BYTE_COLLATIONS: ReadonlySet<string> = new Set(['C', 'POSIX', 'UCS_BASIC', 'BINARY', 'DEFAULT']);
