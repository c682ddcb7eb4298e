import { queryKey, type IndexKey } from '../../catalog/table.ts';
import { ExpressionNames } from '../access-path/expression-text.ts';
import type { ExpressionText, KeyRange, KeyValue, TableRead } from '../table-read.ts';
import { keyJson } from './attribute-json.ts';

/** The key that a read goes by: its index's, or the table's. */
export function queryKeyOf({ table, path }: TableRead): IndexKey {
  const name = 'index' in path ? path.index : null;
  return queryKey(table, table.indexes.find((index) => index.name === name) ?? null);
}

/** The KeyConditionExpression of one Query; its tokens (`#k0`, `:k0`) differ from those of filters and projections. */
export function keyConditionOf(key: IndexKey, { partition, sort }: KeyRange): ExpressionText {
  const out = new ExpressionNames({ name: 'k', value: 'k' });
  const value = (keyValue: KeyValue) => out.value(keyJson(keyValue));
  const equalities = (attributes: IndexKey['sortKeys'], values: readonly KeyValue[]): readonly string[] =>
    values.map((one, at) => `${out.name(attributes[at]?.name ?? '')} = ${value(one)}`);
  const parts = [...equalities(key.partitionKeys, partition)];
  if (sort !== null) {
    const { equals, last } = sort;
    parts.push(...equalities(key.sortKeys, equals));
    const name = out.name(key.sortKeys[equals.length]?.name ?? '');
    if (last.operator === 'BETWEEN') parts.push(`${name} BETWEEN ${value(last.low)} AND ${value(last.high)}`);
    else if (last.operator === 'begins_with') parts.push(`begins_with(${name}, ${value(last.value)})`);
    else parts.push(`${name} ${last.operator} ${value(last.value)}`);
  }
  return out.expression(parts.join(' AND '));
}
