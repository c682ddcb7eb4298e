import type { KeySchema } from '../../catalog/table.ts';
import { ExpressionNames } from '../access-path/expression-text.ts';
import type { ExpressionText, KeyValue, SortCondition, TableRead } from '../table-read.ts';
import { keyJson } from './attribute-json.ts';

/** The key schema that a read goes by: its index's, or the table's. */
export function keySchemaOf({ table, path }: TableRead): KeySchema {
  const name = 'index' in path ? path.index : null;
  return table.indexes.find((index) => index.name === name)?.key ?? table.key;
}

/** The KeyConditionExpression of one Query; its tokens (`#k0`, `:k0`) differ from those of filters and projections. */
export function keyConditionOf(
  key: KeySchema,
  partition: KeyValue,
  sort: SortCondition | null,
): ExpressionText {
  const out = new ExpressionNames({ name: 'k', value: 'k' });
  const value = (keyValue: KeyValue) => out.value(keyJson(keyValue));
  let text = `${out.name(key.partitionKey.name)} = ${value(partition)}`;
  if (sort !== null && key.sortKey !== null) {
    const name = out.name(key.sortKey.name);
    if (sort.operator === 'BETWEEN')
      text += ` AND ${name} BETWEEN ${value(sort.low)} AND ${value(sort.high)}`;
    else if (sort.operator === 'begins_with') text += ` AND begins_with(${name}, ${value(sort.value)})`;
    else text += ` AND ${name} ${sort.operator} ${value(sort.value)}`;
  }
  return out.expression(text);
}
