import type { Values } from '../../logical/plan.ts';
import { commonType } from '../types/common-type.ts';
import { convertTo } from '../types/convert.ts';
import { NULL_TYPE, duckdbType } from '../types/sql-type.ts';
import { blockFrom, type Block } from '../block.ts';
import { writeExpression } from '../expression.ts';
import type { NodeWriter } from '../node-writer.ts';

/** Rows of VALUES, each column of the common type of all. */
export function writeValues({ columns, rows }: Values, writer: NodeWriter): Block {
  if (columns.length === 0) {
    const items = rows.map(() => '(0)').join(', ');
    if (rows.length === 1) return blockFrom(`(SELECT 0) ${writer.freshAlias()}`);
    return blockFrom(
      rows.length === 0
        ? `(SELECT 0 WHERE FALSE) ${writer.freshAlias()}`
        : `(VALUES ${items}) ${writer.freshAlias()}`,
    );
  }
  const written = rows.map((row) => row.map((expression) => writeExpression(expression, writer)));
  const types = columns.map((_, i) => commonType(written.map((row) => row[i]?.type ?? NULL_TYPE)));
  const names = columns.map((column, i) => writer.declare(column, types[i] ?? NULL_TYPE));
  if (rows.length === 0) {
    const nulls = names.map((name, i) => `CAST(NULL AS ${duckdbType(types[i] ?? NULL_TYPE)}) AS ${name}`);
    return blockFrom(`(SELECT ${nulls.join(', ')} WHERE FALSE) ${writer.freshAlias()}`);
  }
  const items = written.map(
    (row) => `(${row.map((value, i) => convertTo(value, types[i] ?? NULL_TYPE).sql).join(', ')})`,
  );
  return blockFrom(`(VALUES ${items.join(', ')}) ${writer.freshAlias()}(${names.join(', ')})`);
}
