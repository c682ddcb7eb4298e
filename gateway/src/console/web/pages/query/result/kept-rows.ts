/** Rows that are here, as the text of a file. */
import type { ResultColumn } from './result-lines.ts';
import type { RowStore } from './row-store.ts';
import { csvHead, csvRows } from './rows-as-csv.ts';

/** `spreadsheet`: CSV without formulas. */
export type FileFormat = 'spreadsheet' | 'csv' | 'ndjson' | 'parquet';
/** What is made of rows that are here. */
export type TextFormat = Exclude<FileFormat, 'parquet'>;

/** Rows that are here. */
export interface Kept {
  readonly rows: Pick<RowStore, 'row'>;
  readonly columns: readonly ResultColumn[];
  readonly rowCount: number;
}

/** The rows that are here, as the API writes them. */
export async function* keptRows(
  kept: Kept,
  format: TextFormat,
): AsyncGenerator<Uint8Array<ArrayBuffer> | string> {
  const { rows, columns, rowCount } = kept;
  if (format === 'ndjson') {
    const decoder = new TextDecoder();
    for (let at = 0; at < rowCount; at += 1) yield `${decoder.decode(rows.row(at))}\n`;
    return;
  }
  const kind = format === 'csv' ? 'exact' : 'spreadsheet';
  yield csvHead(columns, kind);
  yield* csvRows(rows, rowCount, columns, kind);
}
