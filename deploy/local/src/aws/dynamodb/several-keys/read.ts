/**
 * Reads of a global index whose keys have several attributes (Developer Guide, "Multi-attribute keys pattern"). The
 * stores know the first attribute of each key only, so the table is read, and the index worked out of it: good for tests,
 * not for tables of many megabytes.
 */
import { dynamoValidation } from '../../errors.ts';
import { PAGE_BYTES_MAX } from '../../limits.ts';
import { compareScalars } from '../checks/scalar-order.ts';
import { hasSeveralKeys, severalKeysCondition, type KeyPredicate } from '../checks/several-keys.ts';
import { parseCondition } from '../expression/condition.ts';
import { attributesRead, placeholdersOf } from '../expression/placeholders.ts';
import { boundedKeys, isIndexed } from '../index-keys.ts';
import { isFields, object, text, type Fields } from '../input.ts';
import { itemsOf } from '../lag/table-copy.ts';
import { fetchItem, keyOf, withUsedNames } from '../local-index-fetch.ts';
import { itemBytes } from '../sizes/item-bytes.ts';
import type { StoreAnswer } from '../store/store.ts';
import type { StoreHandle } from '../store/stores.ts';
import type { IndexSchema, TableSchema } from '../table-schema.ts';
import { entryOrder, holds, isStartKey, segmentOf, startKeyOf } from './entries.ts';
import { filtered } from './filter.ts';

const BYTES_PER_HALF_UNIT = 4096;

/** From before there were expressions: such an index came long after them. */
const LEGACY = ['KeyConditions', 'QueryFilter', 'ScanFilter', 'AttributesToGet', 'ConditionalOperator'];

interface SeveralKeysRead {
  readonly tableName: string;
  readonly indexName: string;
  readonly index: IndexSchema;
  readonly table: TableSchema;
}

/** Whether a request reads by such an index. */
export async function findSeveralKeysRead(
  operation: string,
  input: Fields,
  handle: StoreHandle,
): Promise<SeveralKeysRead | undefined> {
  const indexName = text(input, 'IndexName');
  if (indexName === undefined || (operation !== 'Query' && operation !== 'Scan')) return undefined;
  const tableName = text(input, 'TableName') ?? '';
  const table = await handle.schemas.find(tableName);
  const index = table?.indexes.get(indexName);
  if (table === undefined || index === undefined || !hasSeveralKeys(index)) return undefined;
  return { tableName, indexName, index, table };
}

/** Does the read and answers as a store would, ConsumedCapacity included. Throws ValidationException. */
export async function readBySeveralKeys(
  operation: string,
  input: Fields,
  read: SeveralKeysRead,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<StoreAnswer> {
  const { index, table, tableName, indexName } = read;
  checkParameters(input, read);
  if (operation === 'Query') checkFilter(input, index);
  const predicates = operation === 'Query' ? keyCondition(input, index) : [];
  const order = entryOrder(operation, index, table);
  const direction = input['ScanIndexForward'] === false ? -1 : 1;
  const start = startOf(input, read, predicates);
  const keys = boundedKeys(index);
  const entries = (await itemsOf(handle.store, tableName))
    .filter((item) => isIndexed(item, keys) && holds(item, predicates) && inSegment(item, input, index))
    .filter((item) => start === undefined || direction * order(item, start) > 0)
    .sort((one, other) => direction * order(one, other))
    .map((item) => projectedBy(item, index));
  const { page, bytes, isCut } = pageOf(entries, input['Limit']);
  const passed = await filtered(page, input, table, handle, signal);
  const last = page.at(-1);
  const units = Math.max(1, Math.ceil(bytes / BYTES_PER_HALF_UNIT)) / 2;
  const body = {
    ...(text(input, 'Select') === 'COUNT'
      ? {}
      : { Items: await shown(passed, input, table, handle, signal) }),
    Count: passed.length,
    ScannedCount: page.length,
    ...(isCut && last !== undefined && { LastEvaluatedKey: startKeyOf(last, index, table) }),
    ConsumedCapacity: {
      TableName: input['TableName'],
      CapacityUnits: units,
      ...(input['ReturnConsumedCapacity'] === 'INDEXES' && {
        Table: { CapacityUnits: 0 },
        GlobalSecondaryIndexes: { [indexName]: { CapacityUnits: units } },
      }),
    },
  };
  return { status: 200, body: Buffer.from(JSON.stringify(body)) };
}

function checkParameters(input: Fields, { indexName, index }: SeveralKeysRead): void {
  const legacy = LEGACY.find((name) => input[name] !== undefined);
  if (legacy !== undefined)
    throw dynamoValidation(
      `The local endpoint reads an index of several key attributes without ${legacy} only`,
    );
  if (input['ConsistentRead'] === true)
    throw dynamoValidation('Consistent reads are not supported on global secondary indexes');
  if (text(input, 'Select') === 'ALL_ATTRIBUTES' && index.projected !== undefined)
    throw dynamoValidation(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${indexName} because its projection type is not ALL`,
    );
}

function keyCondition(input: Fields, index: IndexSchema): readonly KeyPredicate[] {
  const expression = text(input, 'KeyConditionExpression');
  if (expression === undefined)
    throw dynamoValidation(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const condition = parseCondition(expression);
  if (condition === undefined) throw dynamoValidation('Invalid KeyConditionExpression: Syntax error');
  return severalKeysCondition(index, condition, placeholdersOf(input));
}

/** A filter sees what a key condition does not: of a Query, no key attribute. */
function checkFilter(input: Fields, { partitionKeys, sortKeys }: IndexSchema): void {
  const filter = parseCondition(text(input, 'FilterExpression') ?? '');
  const read = filter === undefined ? [] : attributesRead(filter, placeholdersOf(input));
  const key = [...partitionKeys, ...sortKeys].find(({ name }) => read.includes(name));
  if (key !== undefined)
    throw dynamoValidation(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
    );
}

function startOf(
  input: Fields,
  { index, table }: SeveralKeysRead,
  predicates: readonly KeyPredicate[],
): Fields | undefined {
  const start = input['ExclusiveStartKey'];
  if (!isFields(start)) return undefined;
  if (!isStartKey(start, index, table)) throw dynamoValidation('The provided starting key is invalid');
  const isElsewhere = index.partitionKeys.some(({ name }) => {
    const asked = predicates.find((one) => one.name === name)?.values[0];
    return asked !== undefined && compareScalars(object(start, name), asked) !== 0;
  });
  if (isElsewhere)
    throw dynamoValidation(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  return start;
}

function inSegment(item: Fields, input: Fields, index: IndexSchema): boolean {
  const segments = input['TotalSegments'];
  return typeof segments !== 'number' || segmentOf(item, index, segments) === input['Segment'];
}

function projectedBy(item: Fields, { projected }: IndexSchema): Fields {
  if (projected === undefined) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => projected.has(name)));
}

function pageOf(entries: readonly Fields[], limit: unknown) {
  const page: Fields[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (page.length === limit) break;
    const size = itemBytes(entry);
    if (page.length > 0 && bytes + size > PAGE_BYTES_MAX) return { page, bytes, isCut: true };
    page.push(entry);
    bytes += size;
  }
  return { page, bytes, isCut: page.length === limit };
}

async function shown(
  entries: readonly Fields[],
  input: Fields,
  table: TableSchema,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<readonly Fields[]> {
  const { TableName, ProjectionExpression } = input;
  if (ProjectionExpression === undefined) return entries;
  const items: Fields[] = [];
  for (const entry of entries) {
    const get = {
      TableName,
      ProjectionExpression,
      Key: keyOf(entry, table),
      ReturnConsumedCapacity: 'TOTAL',
    };
    items.push((await fetchItem(withUsedNames(get, input), handle, signal)).item);
  }
  return items;
}
