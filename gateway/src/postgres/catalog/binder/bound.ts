/** What the binder makes of expressions and queries: DuckDB's SQL, with PostgreSQL's types. */

/** A column of a composite value or of a query. */
export interface Field {
  readonly name: string;
  readonly type: number;
  readonly modifier: number;
  readonly fields?: readonly Field[];
}

/** An expression. */
export interface Bound {
  readonly sql: string;
  /** OID; `unknown` for literals and parameters that nothing has given a type yet. */
  readonly type: number;
  readonly modifier: number;
  /** Byte in the statement where it begins, -1: not known. */
  readonly at: number;
  /** Of a composite value. */
  readonly fields?: readonly Field[];
  /** Text of what is written out: of a type yet to be found, or of text; null is NULL. */
  readonly literal?: string | null;
  /** Number of a parameter without a type. */
  readonly parameter?: number;
  /** A set: `sql` is a list of its elements then, and type and fields are an element's. */
  readonly isSet?: boolean;
  /** An aggregate or window function is in it. */
  readonly isComputed?: boolean;
}

/** A query, whose columns are called c1, c2, … */
export interface BoundQuery {
  readonly sql: string;
  readonly columns: readonly Field[];
  /** What it sets for the session when it gives a row: the column of the value, and that of the setting's name. */
  readonly assignments?: readonly Assignment[];
}

/** The value of the column is to be set under the name that stands in the other. */
export interface Assignment {
  readonly column: number;
  readonly name: string;
}

/** A column of DuckDB's, by its place. */
export const columnName = (index: number): string => `c${index + 1}`;

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
