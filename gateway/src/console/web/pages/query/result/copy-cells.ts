/** Selected cells as text for the clipboard. Every value is whole, every digit as it came. */
import { COPIED_CELLS_MAX } from '../limits.ts';
import type { CellReader } from './cell-reader.ts';
import type { ResultColumn } from './result-lines.ts';
import type { Rectangle } from './selection.ts';

const QUOTED = /[\t\n\r"]/;

/** As spreadsheets read it: what has a tab, a line break or a quote in it is quoted. NULL is empty. */
const tsvValue = (text: string | null): string =>
  text === null ? '' : QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Null where there are too many cells. */
function bounds({ firstRow, lastRow, firstColumn, lastColumn }: Rectangle) {
  if ((lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > COPIED_CELLS_MAX) return null;
  return { rows: numbers(firstRow, lastRow), columns: numbers(firstColumn, lastColumn) };
}

/** With a line of names, unless it is one cell. Null where there are too many cells. */
export function asTsv(
  reader: CellReader,
  names: readonly ResultColumn[],
  selected: Rectangle,
): string | null {
  const found = bounds(selected);
  if (found === null) return null;
  const { rows, columns } = found;
  if (rows.length === 1 && columns.length === 1) return reader.whole(rows[0] ?? 0, columns[0] ?? 0) ?? '';
  const head = columns.map((column) => tsvValue(names[column]?.name ?? ''));
  const lines = rows.map((row) => columns.map((column) => tsvValue(reader.whole(row, column))).join('\t'));
  return [head.join('\t'), ...lines].join('\n');
}

/** Names of columns, the second of two equal ones with _2, as the API has them. */
function distinctNames(columns: readonly ResultColumn[]): readonly string[] {
  const seen = new Map<string, number>();
  return columns.map(({ name }) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}_${before + 1}`;
  });
}

/** An array of an object for each row; of one cell its JSON alone. Null where there are too many cells. */
export function asJson(
  reader: CellReader,
  names: readonly ResultColumn[],
  selected: Rectangle,
): string | null {
  const found = bounds(selected);
  if (found === null) return null;
  const { rows, columns } = found;
  if (rows.length === 1 && columns.length === 1) return reader.json(rows[0] ?? 0, columns[0] ?? 0);
  const keys = distinctNames(names).map((name) => JSON.stringify(name));
  const objects = rows.map((row) => {
    const fields = columns.map((column) => `${keys[column] ?? '""'}: ${reader.json(row, column)}`);
    return `  { ${fields.join(', ')} }`;
  });
  return `[\n${objects.join(',\n')}\n]`;
}
