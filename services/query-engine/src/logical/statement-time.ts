/** The time of a statement: one for all that it reads and computes, however long that takes. */

/** In UTC, as `2026-11-20 12:34:56.789`. */
export type StatementTime = string & { readonly isStatementTime: true };

const SHAPE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;

/** `ms`: since 1970, in the years 1 to 9999. */
export function statementTime(ms: number): StatementTime {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '') as StatementTime;
}

/** A time that was written down; null where the text is none. */
export function parseStatementTime(text: string): StatementTime | null {
  return SHAPE.test(text) && !Number.isNaN(Date.parse(`${text.replace(' ', 'T')}Z`))
    ? (text as StatementTime)
    : null;
}
