import type { SetOperation } from '../../logical/plan.ts';
import { commonType } from '../types/common-type.ts';
import { convertTo } from '../types/convert.ts';
import { NULL_TYPE } from '../types/sql-type.ts';
import { blockFrom, type Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';
import { columnName } from '../scope.ts';
import { combine, operandsOf } from '../set-operations.ts';

/** UNION, INTERSECT and EXCEPT, each column of the common type of its operands'. */
export function writeSetOperation(node: SetOperation, writer: NodeWriter): Block {
  const operands = operandsOf(node).map((plan) => writer.subquery(plan));
  const types = node.columns.map((_, i) =>
    commonType(operands.map(({ columns }) => columns[i]?.type ?? NULL_TYPE)),
  );
  const selects = operands.map(({ sql, columns }) => {
    const list = node.columns.map((column, i) => {
      const from = columns[i];
      const value = { sql: columnName(from?.id ?? -1), type: from?.type ?? NULL_TYPE };
      return `${convertTo(value, types[i] ?? NULL_TYPE).sql} AS ${columnName(column.id)}`;
    });
    return `(SELECT ${list.join(', ')} FROM (${sql}) ${writer.freshAlias()})`;
  });
  node.columns.forEach((column, i) => writer.declare(column, types[i] ?? NULL_TYPE));
  return blockFrom(`(${combine(node, selects)}) ${writer.freshAlias()}`);
}
