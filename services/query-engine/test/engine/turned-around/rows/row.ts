import type { Choice } from '../../choice.ts';
import type { Piece } from '../condition.ts';

/** A row of the design's tables: a way to write a condition on a key. */
export interface Row {
  readonly row: string;
  /** With constants at or beside the value, or any other. */
  readonly write: (choice: Choice, value: string, values: readonly string[]) => Piece;
}
