/** Rows that are here as CSV: exact, as the API writes it, or for spreadsheets. */
import { csvText, inert } from '../../common/csv.ts';
import { createCellReader } from './cell-reader.ts';
import { resultLine, type ResultColumn } from './result-lines.ts';
import { createRowStore, type RowStore } from './row-store.ts';

/** `spreadsheet`: text that would be run as a formula begins with an apostrophe. */
export type CsvKind = 'exact' | 'spreadsheet';

/** Rows that are made one text: few objects, and no text that a browser refuses. */
const ROWS_AT_ONCE = 1_000;

const lineOf = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

export function csvHead(columns: readonly ResultColumn[], kind: CsvKind): string {
  return lineOf(columns.map(({ name }) => csvText(kind === 'exact' ? name : inert(name))));
}

/** The rows without their names, some at a time. */
export function* csvRows(
  rows: Pick<RowStore, 'row'>,
  rowCount: number,
  columns: readonly ResultColumn[],
  kind: CsvKind,
): Generator<string> {
  const reader = createCellReader(rows);
  const field = (row: number, column: number): string => {
    const text = reader.whole(row, column);
    if (text === null) return '';
    return csvText(kind === 'exact' ? text : inert(text));
  };
  for (let from = 0; from < rowCount; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rowCount - from);
    const lines = Array.from({ length: count }, (_, at) =>
      lineOf(columns.map((_column, column) => field(from + at, column))),
    );
    yield lines.join('');
  }
}

/**
 * NDJSON with its line of names as CSV, while it comes.
 *
 * @throws Error with what the last line says where it failed on the way
 */
export async function* csvOfNdjson(body: AsyncIterable<Uint8Array>, kind: CsvKind): AsyncGenerator<string> {
  let columns: readonly ResultColumn[] = [];
  let isWhole = false;
  let said: string | null = null;
  const onOther = (line: Uint8Array): void => {
    const other = resultLine(line);
    if (other.kind === 'columns') columns = other.columns;
    else if (other.kind === 'end') isWhole = true;
    else said = other.problem.message;
  };
  let unfinished = new Uint8Array();
  let hasHead = false;
  for await (const chunk of body) {
    const bytes = new Uint8Array(unfinished.length + chunk.length);
    bytes.set(unfinished);
    bytes.set(chunk, unfinished.length);
    const end = bytes.lastIndexOf(0x0a) + 1;
    unfinished = bytes.slice(end);
    if (end === 0) continue;
    // A store for each piece: what is written is held no longer.
    const store = createRowStore(onOther);
    store.add(bytes.subarray(0, end));
    if (!hasHead) yield csvHead(columns, kind);
    hasHead = true;
    yield* csvRows(store, store.rowCount, columns, kind);
  }
  if (!isWhole) throw new Error(said ?? 'the result is not whole');
}
