import { expect } from 'chai';
import { queryKey } from '../../../src/catalog/table.ts';
import type { KeyValue, SortCondition, TableRead } from '../../../src/dynamodb/table-read.ts';
import { chooseRead } from '../../../src/dynamodb/choose-read.ts';
import { keyConditionOf } from '../../../src/dynamodb/reader/key-condition.ts';
import {
  batchGetItemInput,
  getItemInput,
  queryInput,
  scanInput,
  sdkItemKey,
} from '../../../src/dynamodb/reader/request.ts';
import type { Expression } from '../../../src/logical/expression.ts';
import type { TableScan } from '../../../src/logical/plan.ts';
import { catalogTable, cmp, eq, index, inList, like, scanColumn, tableScan } from '../fixtures.ts';

const table = catalogTable('pk:S, sk:N', { indexes: [index('by-day', 'day:S, at:S')] });
const read = (names: string[], filter: Expression[], more: Partial<TableScan> = {}) =>
  chooseRead(tableScan(table, names, { filter, ...more }), { consistent: false, pushdown: true });

describe('requests', () => {
  it('GetItem', () => {
    const chosen = read(['pk', 'sk', 'total'], [eq('pk', 'a'), eq('sk', 1)]);
    if (chosen.path.kind !== 'GetItem') throw new Error('another path');
    expect(getItemInput(chosen, chosen.path.key)).to.deep.equal({
      TableName: 'orders',
      Key: { pk: { S: 'a' }, sk: { N: '1' } },
      ConsistentRead: false,
      ReturnConsumedCapacity: 'TOTAL',
      ProjectionExpression: '#p0, #p1, #p2',
      ExpressionAttributeNames: { '#p0': 'pk', '#p1': 'sk', '#p2': 'total' },
    });
  });

  it('BatchGetItem, with the keys projected whoever made the read', () => {
    const chosen = read(['pk', 'sk', 'total'], [eq('pk', 'a'), inList('sk', [1, 2])]);
    if (chosen.path.kind !== 'BatchGetItem') throw new Error('another path');
    const keys = chosen.path.keys.map((key) => sdkItemKey(chosen, key));
    const onlyTotal = { ...chosen, columns: [scanColumn('total')] };
    expect(batchGetItemInput(onlyTotal, keys)).to.deep.equal({
      ReturnConsumedCapacity: 'TOTAL',
      RequestItems: {
        orders: {
          Keys: [
            { pk: { S: 'a' }, sk: { N: '1' } },
            { pk: { S: 'a' }, sk: { N: '2' } },
          ],
          ConsistentRead: false,
          ProjectionExpression: '#p0, #p1, #p2',
          ExpressionAttributeNames: { '#p0': 'total', '#p1': 'pk', '#p2': 'sk' },
        },
      },
    });
  });

  it('Query on an index, with condition, filter and projection side by side', () => {
    const chosen = read(
      ['day', 'at', 'total'],
      [eq('day', '2024-01-01'), like('at', '12:%'), cmp('total', '<>', 5)],
      { orderHint: [{ column: scanColumn('at'), descending: true }] },
    );
    if (chosen.path.kind !== 'Query') throw new Error('another path');
    const [range] = chosen.path.ranges;
    if (range === undefined) throw new Error('no range');
    expect(queryInput(chosen, range, { pk: { S: 'x' }, sk: { N: '3' } }, 7)).to.deep.equal({
      TableName: 'orders',
      IndexName: 'by-day',
      KeyConditionExpression: '#k0 = :k0 AND begins_with(#k1, :k1)',
      FilterExpression: '#n0 <> :v0',
      ProjectionExpression: '#p0, #p1, #p2',
      ExpressionAttributeNames: {
        '#k0': 'day',
        '#k1': 'at',
        '#n0': 'total',
        '#p0': 'day',
        '#p1': 'at',
        '#p2': 'total',
      },
      ExpressionAttributeValues: { ':k0': { S: '2024-01-01' }, ':k1': { S: '12:' }, ':v0': { N: '5' } },
      ExclusiveStartKey: { pk: { S: 'x' }, sk: { N: '3' } },
      Limit: 7,
      ScanIndexForward: false,
      ConsistentRead: false,
      ReturnConsumedCapacity: 'TOTAL',
    });
  });

  it('Scan of one segment, and of several', () => {
    const small = read(['pk'], []);
    const all: TableRead = { ...small, path: { kind: 'Scan', index: null, segments: 5 } };
    expect(scanInput(all, 2, null, null)).to.deep.equal({
      TableName: 'orders',
      Segment: 2,
      TotalSegments: 5,
      ProjectionExpression: '#p0',
      ExpressionAttributeNames: { '#p0': 'pk' },
      ConsistentRead: false,
      ReturnConsumedCapacity: 'TOTAL',
    });
    const counted = read([], [], { limitHint: 3 });
    expect(scanInput(counted, 0, null, 3)).to.deep.equal({
      TableName: 'orders',
      Select: 'COUNT',
      Limit: 3,
      ConsistentRead: false,
      ReturnConsumedCapacity: 'TOTAL',
    });
  });

  it('write every sort condition', () => {
    const at = (value: string) => ({ type: 'N', value }) as const;
    const text = (last: SortCondition | null) => {
      const sort = last === null ? null : { equals: [], last };
      return keyConditionOf(queryKey(table, null), { partition: [{ type: 'S', value: 'a' }], sort }).text;
    };
    expect(text(null)).to.equal('#k0 = :k0');
    expect(text({ operator: '>=', value: at('1') })).to.equal('#k0 = :k0 AND #k1 >= :k1');
    expect(text({ operator: 'BETWEEN', low: at('1'), high: at('2') })).to.equal(
      '#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2',
    );
  });

  it('name every attribute of a partition key, and those of a sort key that are bound, from left to right', () => {
    const text = (value: string): KeyValue => ({ type: 'S', value });
    const { key } = index('by-place', 'cup:S & region:S, round:N & bracket:S & id:S');
    const condition = keyConditionOf(key, {
      partition: [text('w24'), text('eu')],
      sort: {
        equals: [{ type: 'N', value: '2' }],
        last: { operator: 'begins_with', value: text('up') },
      },
    });
    expect(condition).to.deep.equal({
      text: '#k0 = :k0 AND #k1 = :k1 AND #k2 = :k2 AND begins_with(#k3, :k3)',
      names: { '#k0': 'cup', '#k1': 'region', '#k2': 'round', '#k3': 'bracket' },
      values: { ':k0': { S: 'w24' }, ':k1': { S: 'eu' }, ':k2': { N: '2' }, ':k3': { S: 'up' } },
    });
  });
});
