/** Rows of several series: a month that has a row for each region is a line for each region, not one that runs through them. */
import { CHART_SPLIT_VALUES_MAX } from '../limits.ts';
import type { CellReader } from '../result/cell-reader.ts';

/** A row, and where it is across. */
export interface Placed {
  readonly row: number;
  readonly at: number;
}

/** Rows of one series, by the text that they share. */
export interface Split {
  readonly column: number;
  readonly parts: ReadonlyMap<string, readonly Placed[]>;
}

const textAt = (reader: CellReader, row: number, column: number): string => {
  const { kind, text } = reader.cell(row, column);
  return kind === 'null' ? 'NULL' : text;
};

/** The parts of the rows by this column; null where a part has two rows at one place, or there are too many parts to tell apart. */
function splitBy(column: number, places: readonly Placed[], reader: CellReader): Split | null {
  const parts = new Map<string, Placed[]>();
  const seen = new Set<string>();
  for (const place of places) {
    const text = textAt(reader, place.row, column);
    const key = `${place.at} ${text}`;
    if (seen.has(key)) return null;
    seen.add(key);
    const part = parts.get(text);
    if (part !== undefined) part.push(place);
    else if (parts.size === CHART_SPLIT_VALUES_MAX) return null;
    else parts.set(text, [place]);
  }
  return { column, parts };
}

/** The parts of the rows by the first column that tells rows at the same place apart; null where no place has two, or none does. */
export function splitOf(
  candidates: readonly number[],
  places: readonly Placed[],
  reader: CellReader,
): Split | null {
  if (new Set(places.map(({ at }) => at)).size === places.length) return null;
  for (const column of candidates) {
    const found = splitBy(column, places, reader);
    if (found !== null && found.parts.size > 1) return found;
  }
  return null;
}
