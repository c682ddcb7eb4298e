/** What of a result can be drawn, and as what: from the types of its columns. */
import { CHART_ROWS_MAX } from '../limits.ts';
import type { CellReader } from '../result/cell-reader.ts';
import type { ResultColumn } from '../result/result-lines.ts';

export type Shape = 'bar' | 'line' | 'points';

/** What the horizontal axis is made of. */
export type AxisKind = 'time' | 'number' | 'category';

export interface ChartChoice {
  readonly shape: Shape;
  /** Column of the horizontal axis; null for the row's number. */
  readonly x: number | null;
  readonly ys: readonly number[];
}

export interface ChartData {
  readonly axis: AxisKind;
  /** Of the column that goes across. */
  readonly xName: string;
  /** Of `category`: their texts, by place. */
  readonly labels: readonly string[];
  readonly x: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** Rows that are not drawn, since there are too many. */
  readonly rowsLeftOut: number;
}

const NUMERIC = /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|DECIMAL|DOUBLE|FLOAT|REAL|UBIGINT|UINTEGER)/;
const TEMPORAL = /^(?:DATE|TIMESTAMP)/;

export const isNumeric = ({ type }: ResultColumn): boolean => NUMERIC.test(type);
export const isTemporal = ({ type }: ResultColumn): boolean => TEMPORAL.test(type);

/** Times as lines, categories as bars, numbers over numbers as points; null where no column is of numbers. */
export function choiceFor(columns: readonly ResultColumn[]): ChartChoice | null {
  const numbers = columns.flatMap((column, at) => (isNumeric(column) ? [at] : []));
  const time = columns.findIndex(isTemporal);
  const category = columns.findIndex((column) => !isNumeric(column) && !isTemporal(column));
  const [first, second] = numbers;
  if (first === undefined) return null;
  // One series: how the scales of several go together only a person knows.
  if (time >= 0) return { shape: 'line', x: time, ys: [first] };
  if (category >= 0) return { shape: 'bar', x: category, ys: [first] };
  if (second === undefined) return { shape: 'bar', x: null, ys: [first] };
  return { shape: 'points', x: first, ys: [second] };
}

/** A picture has no room for 38 digits: here, and only here, a value becomes a number. */
function numberAt(reader: CellReader, row: number, column: number): number | null {
  const { kind, text } = reader.cell(row, column);
  const number = kind === 'number' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Seconds since 1970, of times without a zone in UTC. */
function timeAt(reader: CellReader, row: number, column: number): number | null {
  const { kind, text } = reader.cell(row, column);
  if (kind !== 'text') return null;
  const written = text.replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(written.slice(10));
  const time = Date.parse(hasZone || written.length <= 10 ? written : `${written}Z`);
  return Number.isFinite(time) ? time / 1_000 : null;
}

function axisOf(column: ResultColumn | undefined): AxisKind {
  if (column === undefined || isNumeric(column)) return 'number';
  return isTemporal(column) ? 'time' : 'category';
}

/** Rows by the horizontal axis, those without a value there left out. */
export function chartData(
  columns: readonly ResultColumn[],
  reader: CellReader,
  rows: number,
  { shape, x, ys }: ChartChoice,
): ChartData {
  const drawn = Math.min(rows, CHART_ROWS_MAX);
  const column = x === null ? undefined : columns[x];
  // A bar stands for its row, whatever the type: numbers far apart would leave bars too thin to see.
  const axis = shape === 'bar' && column !== undefined ? 'category' : axisOf(column);
  const labels: string[] = [];
  const places: { readonly row: number; readonly at: number }[] = [];
  for (let row = 0; row < drawn; row += 1) {
    const at = placeAt(row);
    if (at !== null) places.push({ row, at });
  }
  function placeAt(row: number): number | null {
    if (x === null) return row + 1;
    if (axis === 'time') return timeAt(reader, row, x);
    if (axis === 'number') return numberAt(reader, row, x);
    const { kind, text } = reader.cell(row, x);
    labels.push(kind === 'null' ? 'NULL' : text);
    return row;
  }
  if (axis !== 'category') places.sort((a, b) => a.at - b.at);
  return {
    axis,
    xName: column?.name ?? 'Row',
    labels,
    x: places.map(({ at }) => at),
    series: ys.map((y) => ({
      name: columns[y]?.name ?? '',
      values: places.map(({ row }) => numberAt(reader, row, y)),
    })),
    rowsLeftOut: rows - drawn,
  };
}
