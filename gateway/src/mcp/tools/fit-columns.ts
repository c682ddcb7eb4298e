import { TOOL_TABLE_BYTES_MAX } from '../limits.ts';
import type { ColumnShape } from '../../clients/column-types.ts';
import { outputBytes, toolResult } from './tool-result.ts';

/** A described table with as many of its columns, in their order, as a model can take in; and how many more there are. */
export function fitColumns<Table extends Record<string, unknown>>(
  table: Table,
  columns: readonly ColumnShape[],
): Table & { readonly columns: readonly ColumnShape[]; readonly omittedColumns?: number } {
  // Each comes twice, with a comma: in the text and in the structured content.
  let left =
    TOOL_TABLE_BYTES_MAX - outputBytes(toolResult({ ...table, columns: [], omittedColumns: columns.length }));
  let count = 0;
  for (const column of columns) {
    left -= 2 * (Buffer.byteLength(JSON.stringify(column)) + 1);
    if (left < 0) break;
    count += 1;
  }
  const omitted = columns.length - count;
  return {
    ...table,
    columns: columns.slice(0, count),
    ...(omitted === 0 ? {} : { omittedColumns: omitted }),
  };
}
