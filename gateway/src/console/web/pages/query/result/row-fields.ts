/** A row as a form has it: each column with its value. */
import type { Cell } from './cell.ts';
import type { CellReader } from './cell-reader.ts';
import type { ResultColumn } from './result-lines.ts';

export interface RowField {
  readonly column: ResultColumn;
  readonly cell: Cell;
  /** All of it is long, or a document: shown when it is asked for. */
  readonly isFolded: boolean;
}

/** @throws RangeError where there is no such row */
export const rowFields = (
  reader: CellReader,
  columns: readonly ResultColumn[],
  row: number,
): readonly RowField[] =>
  columns.map((column, at) => {
    const cell = reader.cell(row, at);
    return { column, cell, isFolded: cell.isCut || cell.kind === 'document' };
  });
