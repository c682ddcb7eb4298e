import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields, object, objects, type Fields } from '../input.ts';
import type { Emulator } from '../store/backend.ts';
import { createStore, type Store, type StoreAnswer } from '../store/store.ts';
import type { TableSchema } from '../table-schema.ts';
import { keyOf } from './written-keys.ts';

const ITEMS_PER_WRITE = 25;

/** A change of a table at a time: of one key, or of any key (after a statement that names none). */
export type Change =
  | { readonly atMs: number; readonly key: Fields; readonly item: Fields | null }
  | { readonly atMs: number; readonly items: readonly Fields[] };

/** A table as it was some time ago, in a store of its own. Lagging indexes are read from it. */
export interface TableCopy {
  readonly store: Store;
  /** Takes note of changes that are to show later. In the order of their times. */
  note(changes: readonly Change[]): void;
  /** Lets show what was changed by then. */
  advanceTo(timeMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Copies a table as it is now. */
export async function copyTable(
  folder: string,
  emulator: Emulator,
  source: Store,
  tableName: string,
  schema: TableSchema,
): Promise<TableCopy> {
  const path = await mkdtemp(join(folder, 'copy-'));
  const store = createStore(join(path, 'store'), emulator.start);
  const put = (Item: Fields) => sent(store, 'PutItem', { TableName: tableName, Item });
  const remove = (Key: Fields) => sent(store, 'DeleteItem', { TableName: tableName, Key });
  const { Table } = await sent(source, 'DescribeTable', { TableName: tableName });
  await sent(store, 'CreateTable', likeTable(isFields(Table) ? Table : {}));
  const items = await itemsOf(source, tableName);
  for (let from = 0; from < items.length; from += ITEMS_PER_WRITE) {
    const puts = items.slice(from, from + ITEMS_PER_WRITE).map((Item) => ({ PutRequest: { Item } }));
    await sent(store, 'BatchWriteItem', { RequestItems: { [tableName]: puts } });
  }
  const waiting: Change[] = [];

  async function apply(change: Change): Promise<void> {
    if ('key' in change) {
      await (change.item === null ? remove(change.key) : put(change.item));
      return;
    }
    for (const item of await itemsOf(store, tableName)) await remove(keyOf(item, schema));
    for (const item of change.items) await put(item);
  }

  return {
    store,
    note: (changes) => void waiting.push(...changes),
    async advanceTo(timeMs) {
      while (waiting[0] !== undefined && waiting[0].atMs <= timeMs) await apply(waiting.shift() as Change);
    },
    async close() {
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** All items of a table. */
export async function itemsOf(store: Store, tableName: string): Promise<readonly Fields[]> {
  const items: Fields[] = [];
  let start: Fields = {};
  for (;;) {
    const page = await sent(store, 'Scan', { TableName: tableName, ConsistentRead: true, ...start });
    items.push(...objects(page, 'Items'));
    if (page['LastEvaluatedKey'] === undefined) return items;
    start = { ExclusiveStartKey: page['LastEvaluatedKey'] };
  }
}

/** The item of a key as it is now; null where there is none. */
export async function itemOf(store: Store, tableName: string, key: Fields): Promise<Fields | null> {
  const answer = await sent(store, 'GetItem', { TableName: tableName, Key: key, ConsistentRead: true });
  return answer['Item'] === undefined ? null : object(answer, 'Item');
}

async function sent(store: Store, operation: string, input: Fields): Promise<Fields> {
  const { status, body }: StoreAnswer = await store.send(operation, JSON.stringify(input));
  if (status !== 200) throw new Error(`${operation} of a table that lags failed: ${body.toString('utf8')}`);
  return JSON.parse(body.toString('utf8')) as Fields;
}

/** The CreateTable that makes a table like the one described. */
function likeTable(table: Fields): Fields {
  const indexes = (kind: string): Fields => {
    const described = objects(table, kind).map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    }));
    return described.length === 0 ? {} : { [kind]: described };
  };
  return {
    TableName: table['TableName'],
    KeySchema: table['KeySchema'],
    AttributeDefinitions: table['AttributeDefinitions'],
    BillingMode: 'PAY_PER_REQUEST',
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
  };
}
