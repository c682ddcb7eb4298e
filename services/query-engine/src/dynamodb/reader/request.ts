/** What a `TableRead` sends, as plain data: one function for each kind of request. */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { keyNames } from '../../catalog/table.ts';
import type {
  AttributeValue,
  BatchGetItemCommandInput,
  GetItemCommandInput,
  QueryCommandInput,
  ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { DocumentStep } from '../../logical/expression.ts';
import { projectionOf } from '../access-path/projection.ts';
import type { ExpressionText, ItemKey, KeyRange, TableRead } from '../table-read.ts';
import { keyJson, sdkKey, sdkValue, sdkValues } from './attribute-json.ts';
import { keyConditionOf, queryKeyOf } from './key-condition.ts';

/** Where the last page ended, in DynamoDB's JSON; null for the first page. */
export type StartKey = Readonly<Record<string, unknown>> | null;

export function getItemInput(read: TableRead, key: ItemKey): GetItemCommandInput {
  return {
    TableName: read.table.tableName,
    Key: sdkItemKey(read, key),
    ConsistentRead: read.consistent,
    ReturnConsumedCapacity: 'TOTAL',
    ...(read.projection === null
      ? {}
      : {
          ProjectionExpression: read.projection.text,
          ExpressionAttributeNames: { ...read.projection.names },
        }),
  };
}

/** At most 100 keys, in the SDK's form (from `sdkItemKey`, or left over from an answer). */
export function batchGetItemInput(
  read: TableRead,
  keys: readonly Record<string, AttributeValue>[],
): BatchGetItemCommandInput {
  const paths: (readonly DocumentStep[])[] = [
    ...read.columns.map(({ path }) => path),
    ...keyNamesOf(read).map((name) => [name]),
  ];
  // Answers come in any order, so that items must tell their keys, whoever made the read.
  const projection = read.projection === null ? null : projectionOf(paths, read.table);
  return {
    ReturnConsumedCapacity: 'TOTAL',
    RequestItems: {
      [read.table.tableName]: {
        Keys: [...keys],
        ConsistentRead: read.consistent,
        ...(projection === null
          ? {}
          : { ProjectionExpression: projection.text, ExpressionAttributeNames: { ...projection.names } }),
      },
    },
  };
}

/** One page of one range. `limit`: items to read at most. */
export function queryInput(
  read: TableRead,
  range: KeyRange,
  startKey: StartKey,
  limit: number | null,
): QueryCommandInput {
  const { path } = read;
  if (path.kind !== 'Query') throw new Error('the read is no Query');
  const condition = keyConditionOf(queryKeyOf(read), range);
  return {
    ...pageInput(read, path.index, startKey, limit),
    KeyConditionExpression: condition.text,
    ScanIndexForward: !path.descending,
    ...expressionInput(read, condition),
  };
}

/** One page of one segment. */
export function scanInput(
  read: TableRead,
  segment: number,
  startKey: StartKey,
  limit: number | null,
): ScanCommandInput {
  const { path } = read;
  if (path.kind !== 'Scan' && path.kind !== 'Segments') throw new Error('the read is no Scan');
  const { index, segments } = path.kind === 'Scan' ? path : { index: null, segments: SEGMENT_COUNT };
  return {
    ...pageInput(read, index, startKey, limit),
    ...(segments === 1 ? {} : { Segment: segment, TotalSegments: segments }),
    ...expressionInput(read, null),
  };
}

function pageInput(read: TableRead, index: string | null, startKey: StartKey, limit: number | null) {
  return {
    TableName: read.table.tableName,
    ...(index === null ? {} : { IndexName: index }),
    ...(read.filter === null ? {} : { FilterExpression: read.filter.text }),
    ...(startKey === null ? {} : { ExclusiveStartKey: sdkKey(startKey) }),
    ...(limit === null ? {} : { Limit: limit }),
    ConsistentRead: read.consistent,
    ReturnConsumedCapacity: 'TOTAL' as const,
  };
}

/** Projection, names and values of all expressions of a page; projections have tokens of their own (`#p0`). */
function expressionInput(read: TableRead, condition: ExpressionText | null) {
  const { filter, projection } = read;
  const names = { ...condition?.names, ...filter?.names, ...projection?.names };
  const values = { ...condition?.values, ...filter?.values };
  return {
    ...(read.countOnly ? { Select: 'COUNT' as const } : {}),
    ...(projection === null ? {} : { ProjectionExpression: projection.text }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: sdkValues(values) }),
  };
}

export function sdkItemKey(
  { table }: TableRead,
  { partition, sort }: ItemKey,
): Record<string, AttributeValue> {
  return {
    [table.key.partitionKey.name]: sdkValue(keyJson(partition)),
    ...(table.key.sortKey === null || sort === null
      ? {}
      : { [table.key.sortKey.name]: sdkValue(keyJson(sort)) }),
  };
}

/** The table's key attributes. */
export function keyNamesOf({ table }: TableRead): readonly string[] {
  return keyNames(table.key);
}
