import type { Aggregate } from '../../logical/plan.ts';
import { NULL_TYPE } from '../types/sql-type.ts';
import { writeAggregateCall } from '../aggregate.ts';
import type { Block, Selected } from '../block.ts';
import { writeExpression } from '../expression.ts';
import type { NodeWriter } from '../node-writer.ts';

/** Groups, or grouping sets, with their aggregates. */
export function writeAggregate(node: Aggregate, writer: NodeWriter): Block {
  const block = writer.bare(writer.block(node.input));
  const keys = node.groupBy.map(({ expression }) => writeExpression(expression, writer));
  const keySql = (position: number): string => keys[position]?.sql ?? 'NULL';
  const select: Selected[] = [
    ...node.groupBy.map(({ column }, i) => ({
      name: writer.declare(column, keys[i]?.type ?? NULL_TYPE),
      sql: keySql(i),
    })),
    ...node.aggregates.map(({ column, call }) => {
      const value = writeAggregateCall(call, writer);
      return { name: writer.declare(column, value.type), sql: value.sql };
    }),
    ...node.groupings.map(({ column, of }) => ({
      name: writer.declare(column, { kind: 'integer', sql: 'BIGINT', integerDigits: 18 }),
      sql: `CAST(grouping(${of.map(keySql).join(', ')}) AS BIGINT)`,
    })),
  ];
  if (select.length === 0) select.push({ name: 'none', sql: 'count(*)' });
  const sets = node.groupingSets?.map((set) => `(${set.map(keySql).join(', ')})`);
  const group =
    sets !== undefined
      ? `GROUP BY GROUPING SETS (${sets.join(', ')})`
      : keys.length > 0
        ? `GROUP BY ${keys.map((key) => key.sql).join(', ')}`
        : '';
  return writer.wrap({ ...block, select, group });
}
