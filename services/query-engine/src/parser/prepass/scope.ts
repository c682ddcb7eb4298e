import type { Statement } from './statement.ts';
import type { DraftWriter } from './draft.ts';

/** What every part of the pre-pass works on: the statement it reads, the draft it writes. */
export interface Scope {
  readonly statement: Statement;
  readonly draft: DraftWriter;
  /** Counts of the whole statement, for the limits. */
  readonly counts: { joins: number; selects: number; groupingColumns: number };
}
