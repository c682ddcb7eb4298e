/** Rows that are here in another order, or some of them: nothing is read for it. */
import { ARRANGED_ROWS_MAX } from '../limits.ts';
import type { Run } from '../run/run.ts';
import { createCellReader, type CellReader } from './cell-reader.ts';
import type { Cell, CellKind } from './cell.ts';

export interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

export interface Arrangement {
  /** Null: as they came. */
  readonly sorting: Sorting | null;
  /** What a cell of the row has, whatever the case; empty: all rows. */
  readonly filter: string;
}

export const AS_THEY_CAME: Arrangement = Object.freeze({ sorting: null, filter: '' });

export const isArranged = ({ sorting, filter }: Arrangement): boolean => sorting !== null || filter !== '';

const RANKS: Readonly<Record<CellKind, number>> = Object.freeze({
  number: 0,
  text: 1,
  boolean: 2,
  document: 3,
  null: 4,
});

const PLAIN = /^-?(\d+)(?:\.(\d+))?$/;

/** Of numbers that are one to a double, by their digits. */
function byDigits(a: string, b: string): number {
  const [, wholeA = '', partA = ''] = PLAIN.exec(a) ?? [];
  const [, wholeB = '', partB = ''] = PLAIN.exec(b) ?? [];
  const places = Math.max(partA.length, partB.length);
  const digits = (whole: string, part: string): bigint => BigInt(`0${whole}${part.padEnd(places, '0')}`);
  const [x, y] = [digits(wholeA, partA), digits(wholeB, partB)];
  const order = x < y ? -1 : x > y ? 1 : 0;
  return a.startsWith('-') ? -order : order;
}

function byNumber(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  return difference !== 0 && !Number.isNaN(difference) ? difference : byDigits(a, b);
}

/** NULL last, as it is in SQL, whichever the direction. */
function inOrder(a: Cell, b: Cell, isDescending: boolean): number {
  if (a.kind === 'null' || b.kind === 'null') return RANKS[a.kind] - RANKS[b.kind];
  const order =
    a.kind !== b.kind
      ? RANKS[a.kind] - RANKS[b.kind]
      : a.kind === 'number'
        ? byNumber(a.text, b.text)
        : a.text < b.text
          ? -1
          : a.text > b.text
            ? 1
            : 0;
  return isDescending ? -order : order;
}

function hasText(reader: CellReader, row: number, columns: number, sought: string): boolean {
  for (let column = 0; column < columns; column += 1) {
    const cell = reader.cell(row, column);
    const text = cell.isCut ? (reader.whole(row, column) ?? '') : cell.text;
    if (cell.kind !== 'null' && text.toLowerCase().includes(sought)) return true;
  }
  return false;
}

/** Numbers of rows, in the order to be shown; of as many rows as are arranged at once. */
export function arrangedRows(
  reader: CellReader,
  rowCount: number,
  columns: number,
  { sorting, filter }: Arrangement,
): readonly number[] {
  const sought = filter.toLowerCase();
  const all = Array.from({ length: Math.min(rowCount, ARRANGED_ROWS_MAX) }, (_, row) => row);
  const found = sought === '' ? all : all.filter((row) => hasText(reader, row, columns, sought));
  if (sorting === null) return found;
  const { column, isDescending } = sorting;
  const cells = new Map(found.map((row) => [row, reader.cell(row, column)]));
  return found.toSorted((a, b) => inOrder(cells.get(a)!, cells.get(b)!, isDescending));
}

type Rows = Pick<Run, 'rows' | 'rowCount' | 'columns'>;

/** The run as these rows of it: who scrolls through them wants no more to be read. */
export function arranged<R extends Rows & Pick<Run, 'want'>>(run: R, arrangement: Arrangement): R {
  const { rows, rowCount, columns } = run;
  const order = arrangedRows(createCellReader(rows), rowCount.value, columns.value.length, arrangement);
  const row = (at: number): Uint8Array => {
    const from = order[at];
    if (from === undefined) throw new RangeError(`there is no row ${at}`);
    return rows.row(from);
  };
  return {
    ...run,
    rows: { row, byteCount: rows.byteCount },
    rowCount: { value: order.length, peek: () => order.length },
    want: () => undefined,
  };
}
