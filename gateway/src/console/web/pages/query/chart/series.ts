/** What of a result can be drawn, and as what: from the types of its columns. */
import { CHART_ROWS_MAX, CHART_SERIES_MAX } from '../limits.ts';
import type { CellReader } from '../result/cell-reader.ts';
import type { ResultColumn } from '../result/result-lines.ts';
import { splitOf, type Placed, type Split } from './split.ts';

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
  /** The column of which each value has its series, and how many of these there is no room for; null: none. */
  readonly by: { readonly name: string; readonly seriesLeftOut: number } | null;
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

interface Across {
  readonly labels: readonly string[];
  readonly places: readonly Placed[];
}

/** Where rows are across, those without a value there left out. A category is where it is met first. */
function acrossOf(reader: CellReader, rows: number, axis: AxisKind, x: number | null): Across {
  const labels: string[] = [];
  const known = new Map<string, number>();
  const placeOf = (row: number): number | null => {
    if (x === null) return row + 1;
    if (axis === 'time') return timeAt(reader, row, x);
    if (axis === 'number') return numberAt(reader, row, x);
    const { kind, text } = reader.cell(row, x);
    const label = kind === 'null' ? 'NULL' : text;
    const place = known.get(label) ?? labels.push(label) - 1;
    known.set(label, place);
    return place;
  };
  const places = Array.from({ length: rows }, (_, row) => ({ row, at: placeOf(row) })).filter(
    (each): each is Placed => each.at !== null,
  );
  return { labels, places: axis === 'category' ? places : places.toSorted((a, b) => a.at - b.at) };
}

/** A place of its own for each row, although some are called the same: nothing tells them apart. */
const oneByOne = ({ labels, places }: Across): Across => ({
  labels: places.map(({ at }) => labels[at] ?? ''),
  places: places.map(({ row }, at) => ({ row, at })),
});

type Series = ChartData['series'][number];

/** A series for each part of the rows, the largest first; what a part lacks at a place is a gap. */
function seriesOfParts(
  reader: CellReader,
  { parts }: Split,
  x: readonly number[],
  y: number,
  name: string,
): Series[] {
  const size = ({ values }: Series): number =>
    values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  return [...parts]
    .map(([text, places]) => {
      const rows = new Map(places.map(({ row, at }) => [at, row]));
      const values = x.map((at) => {
        const row = rows.get(at);
        return row === undefined ? null : numberAt(reader, row, y);
      });
      return { name: name === '' ? text : `${text}, ${name}`, values };
    })
    .toSorted((a, b) => size(b) - size(a));
}

/** Rows by the horizontal axis. Where several are at one place, a column that tells them apart gives each its series. */
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
  const across = acrossOf(reader, drawn, axis, x);
  const texts = columns.flatMap((each, at) => (at === x || isNumeric(each) || isTemporal(each) ? [] : [at]));
  const split = splitOf(texts, across.places, reader);
  const told = { axis, xName: column?.name ?? 'Row', rowsLeftOut: rows - drawn };
  const nameOf = (y: number): string => columns[y]?.name ?? '';
  if (split !== null) {
    const at = [...new Set(across.places.map((place) => place.at))];
    const all = ys.flatMap((y) => seriesOfParts(reader, split, at, y, ys.length === 1 ? '' : nameOf(y)));
    const series = all.slice(0, CHART_SERIES_MAX);
    const by = { name: columns[split.column]?.name ?? '', seriesLeftOut: all.length - series.length };
    return { ...told, labels: across.labels, x: at, series, by };
  }
  const { labels, places } = axis === 'category' ? oneByOne(across) : across;
  const series = ys.map((y) => ({
    name: nameOf(y),
    values: places.map(({ row }) => numberAt(reader, row, y)),
  }));
  return { ...told, labels, x: places.map(({ at }) => at), series, by: null };
}
