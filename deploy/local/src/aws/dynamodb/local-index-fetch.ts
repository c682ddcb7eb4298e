import { AwsError, dynamoValidation } from '../errors.ts';
import { parseCondition } from './expression/condition.ts';
import { attributesProjected, attributesRead, placeholdersOf } from './expression/placeholders.ts';
import { object, objects, text, type Fields } from './input.ts';
import { getProjected, isProjectedGet } from './projected-get.ts';
import type { StoreAnswer } from './store/store.ts';
import type { StoreHandle } from './store/stores.ts';
import { keysOf, type IndexSchema, type TableSchema } from './table-schema.ts';

/**
 * Reads of a local secondary index that want attributes only the table holds. DynamoDB fetches every such item
 * from the table, each rounded up to 4 KB on its own (Developer Guide, "Local secondary indexes: read capacity
 * units"); dynoxide leaves the attributes out, or rounds once. So the index is read, then its items one by one.
 */
interface LocalIndexFetch {
  readonly indexName: string;
  readonly table: TableSchema;
}

/** Items fetched at once. */
const FETCHES_AT_ONCE = 16;

/** Whether a request needs a fetch. Throws ValidationException for filters that this endpoint cannot apply. */
export async function findLocalIndexFetch(
  operation: string,
  input: Fields,
  handle: StoreHandle,
): Promise<LocalIndexFetch | undefined> {
  const indexName = text(input, 'IndexName');
  if (indexName === undefined || (operation !== 'Query' && operation !== 'Scan')) return undefined;
  const table = await handle.schemas.find(text(input, 'TableName') ?? '');
  const index = table?.indexes.get(indexName);
  if (table === undefined || index?.kind !== 'local' || index.projected === undefined) return undefined;
  checkFilter(input, index, index.projected);
  const wanted = attributesProjected(text(input, 'ProjectionExpression') ?? '', placeholdersOf(input));
  const needed =
    text(input, 'Select') === 'ALL_ATTRIBUTES' || wanted.some((name) => index.projected?.has(name) === false);
  return needed ? { indexName, table } : undefined;
}

/** Does the read and answers as a store would, ConsumedCapacity included. */
export async function fetchThroughIndex(
  operation: string,
  input: Fields,
  fetch: LocalIndexFetch,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<StoreAnswer> {
  const { ProjectionExpression, Select: _select, ...rest } = input;
  const indexRead = withUsedNames({ ...rest, ReturnConsumedCapacity: 'TOTAL' }, input);
  const answer = await handle.store.send(operation, JSON.stringify(indexRead), signal);
  if (answer.status !== 200) return answer;
  const page = JSON.parse(answer.body.toString('utf8')) as Fields;
  const entries = objects(page, 'Items');
  const items: Fields[] = [];
  let tableUnits = 0;
  for (let from = 0; from < entries.length; from += FETCHES_AT_ONCE) {
    const fetched = await Promise.all(
      entries.slice(from, from + FETCHES_AT_ONCE).map((entry) => {
        const get = {
          TableName: input['TableName'],
          Key: keyOf(entry, fetch.table),
          ConsistentRead: input['ConsistentRead'] === true,
          ReturnConsumedCapacity: 'TOTAL',
          ...(ProjectionExpression !== undefined && { ProjectionExpression }),
        };
        return fetchItem(withUsedNames(get, input), handle, signal);
      }),
    );
    for (const { item, units } of fetched) {
      items.push(item);
      tableUnits += units;
    }
  }
  const indexUnits = Number(object(page, 'ConsumedCapacity')['CapacityUnits']);
  const { Items: _items, ConsumedCapacity: _capacity, ...counts } = page;
  const ConsumedCapacity = {
    TableName: input['TableName'],
    CapacityUnits: indexUnits + tableUnits,
    ...(input['ReturnConsumedCapacity'] === 'INDEXES' && {
      Table: { CapacityUnits: tableUnits },
      LocalSecondaryIndexes: { [fetch.indexName]: { CapacityUnits: indexUnits } },
    }),
  };
  return { status: 200, body: Buffer.from(JSON.stringify({ Items: items, ...counts, ConsumedCapacity })) };
}

/** One item by its key, by the request's projection, and what it costs. */
export async function fetchItem(
  get: Fields,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<{ readonly item: Fields; readonly units: number }> {
  const answer = await (isProjectedGet('GetItem', get)
    ? getProjected('GetItem', get, handle, signal)
    : handle.store.send('GetItem', JSON.stringify(get), signal));
  if (answer.status !== 200)
    throw new AwsError(
      'InternalServerError',
      'Internal server error: an indexed item cannot be fetched.',
      500,
    );
  const fields = JSON.parse(answer.body.toString('utf8')) as Fields;
  return { item: object(fields, 'Item'), units: Number(object(fields, 'ConsumedCapacity')['CapacityUnits']) };
}

function checkFilter(input: Fields, index: IndexSchema, projected: ReadonlySet<string>): void {
  const filter = parseCondition(text(input, 'FilterExpression') ?? '');
  const read = filter === undefined ? [] : attributesRead(filter, placeholdersOf(input));
  const missing = read.find((name) => !projected.has(name));
  if (missing !== undefined)
    throw dynamoValidation(
      `The local endpoint cannot filter a ${index.kind} secondary index by ${missing}, which the index does not hold: filter what was read`,
    );
}

/** A request with just those names that its expressions use: DynamoDB refuses unused ones. */
export function withUsedNames(request: Fields, input: Fields): Fields {
  const { ExpressionAttributeNames: _names, ...rest } = request;
  const expressions = [
    'KeyConditionExpression',
    'FilterExpression',
    'ProjectionExpression',
    'ConditionExpression',
  ];
  const written = expressions.map((name) => text(rest, name) ?? '').join(' ');
  const used = new Set(written.match(/#[\w-]+/g));
  const names = Object.entries(object(input, 'ExpressionAttributeNames')).filter(([name]) => used.has(name));
  return names.length === 0 ? rest : { ...rest, ExpressionAttributeNames: Object.fromEntries(names) };
}

/** The key that an index entry's item has in its table. */
export function keyOf(entry: Fields, table: TableSchema): Fields {
  return Object.fromEntries(keysOf(table).map(({ name }) => [name, entry[name]]));
}
