/** Reads cells of a result; where the values of the rows last looked at begin and end is remembered. */
import { cellAt, wholeText, type Cell } from './cell.ts';
import type { RowStore } from './row-store.ts';
import { splitRow } from './split-row.ts';

const REMEMBERED_ROWS_MAX = 1_000;

export interface CellReader {
  /** @throws RangeError where there is no such row */
  cell(row: number, column: number): Cell;
  /** All of its text: of a text its characters, else its JSON; null for NULL. */
  whole(row: number, column: number): string | null;
  /** Its JSON. */
  json(row: number, column: number): string;
}

const NULL_CELL: Cell = Object.freeze({ kind: 'null', text: 'null', isCut: false });

export function createCellReader(rows: Pick<RowStore, 'row'>): CellReader {
  const remembered = new Map<number, Uint32Array>();
  const placesOf = (row: number, bytes: Uint8Array): Uint32Array => {
    const known = remembered.get(row);
    if (known !== undefined) return known;
    if (remembered.size >= REMEMBERED_ROWS_MAX) remembered.clear();
    const places = splitRow(bytes);
    remembered.set(row, places);
    return places;
  };
  const at = <T>(
    row: number,
    column: number,
    read: (bytes: Uint8Array, start: number, end: number) => T,
    none: T,
  ): T => {
    const bytes = rows.row(row);
    const places = placesOf(row, bytes);
    const [start, end] = [places[column * 2], places[column * 2 + 1]];
    return start === undefined || end === undefined ? none : read(bytes, start, end);
  };
  return {
    cell: (row, column) => at(row, column, cellAt, NULL_CELL),
    whole: (row, column) =>
      at(row, column, (...place) => (cellAt(...place).kind === 'null' ? null : wholeText(...place)), null),
    json: (row, column) =>
      at(row, column, (bytes, start, end) => new TextDecoder().decode(bytes.subarray(start, end)), 'null'),
  };
}
