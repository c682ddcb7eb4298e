/** Widths of columns, as they were dragged, by name; kept in this browser. */
import { signal } from '@preact/signals';
import { keep, keptJson } from '../../../app/kept.ts';
import type { CellReader } from './cell-reader.ts';
import type { ResultColumn } from './result-lines.ts';

const NAME = 'query.widths';
const KEPT_MAX = 500;

export const WIDTH_MIN = 48;
export const WIDTH_MAX = 900;
const GUESSED_MIN = 72;
const GUESSED_MAX = 340;
const CHAR_PX = 8.4;
const PADDING_PX = 26;
const ROWS_LOOKED_AT = 40;

type Widths = Readonly<Record<string, number>>;

const areWidths = (value: unknown): value is Widths =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((width) => typeof width === 'number');

const dragged = signal<Widths>(keptJson(NAME, areWidths) ?? {});

const keyOf = ({ name, type }: ResultColumn): string => `${type} ${name}`;

export const bounded = (width: number): number => Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width)));

/** Of a column, and kept: while it is dragged (`isLast` false) only shown. */
export function setWidth(column: ResultColumn, width: number, isLast: boolean): void {
  const { [keyOf(column)]: _, ...others } = dragged.peek();
  const entries = [...Object.entries(others).slice(1 - KEPT_MAX), [keyOf(column), bounded(width)] as const];
  dragged.value = Object.fromEntries(entries);
  if (isLast) keep(NAME, JSON.stringify(dragged.value));
}

/** Wide enough for the name and for what the first rows have, within bounds. */
function guessed({ name, type }: ResultColumn, at: number, reader: CellReader, rows: number): number {
  let chars = Math.max(name.length, type.length) + 1;
  for (let row = 0; row < Math.min(rows, ROWS_LOOKED_AT); row += 1) {
    chars = Math.max(chars, reader.cell(row, at).text.length);
  }
  return Math.round(Math.max(GUESSED_MIN, Math.min(GUESSED_MAX, chars * CHAR_PX + PADDING_PX)));
}

/** Guesses for all columns, made once when the first rows are there. */
export const guessedWidths = (
  columns: readonly ResultColumn[],
  reader: CellReader,
  rows: number,
): readonly number[] => columns.map((column, at) => guessed(column, at, reader, rows));

export const widthOf = (column: ResultColumn, guess: number): number => dragged.value[keyOf(column)] ?? guess;
