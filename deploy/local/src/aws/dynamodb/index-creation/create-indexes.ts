import { DatabaseSync } from 'node:sqlite';
import { STORE_FILE_BUSY_MS_MAX } from '../../limits.ts';
import { boundedKeys } from '../index-keys.ts';
import { isFields, object, objects, text, type Fields } from '../input.ts';
import type { StoreAnswer } from '../store/store.ts';
import type { StoreHandle } from '../store/stores.ts';
import { keepSeveralKeys, type WholeKeys } from './keep-several-keys.ts';
import { leaveOutViolations } from './leave-out-violations.ts';

/** Whether a request adds indexes to a table that has items. */
export function createsIndexes(operation: string, input: Fields): boolean {
  return operation === 'UpdateTable' && creationsOf(input).length > 0;
}

/**
 * UpdateTable that adds indexes to a table in dynoxide's file: of several key attributes too, and without the items that
 * cannot be in them.
 */
export async function createIndexes(
  input: Fields,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<StoreAnswer> {
  const tableName = text(input, 'TableName') ?? '';
  const several = creationsOf(input).flatMap(wholeKeys);
  const answer = await handle.store.send('UpdateTable', JSON.stringify(withFirstKeys(input)), signal);
  if (answer.status !== 200) return answer;
  handle.schemas.forget();
  const database = new DatabaseSync(`${handle.path}.db`, { timeout: STORE_FILE_BUSY_MS_MAX });
  try {
    const schema = await handle.schemas.find(tableName);
    for (const { IndexName } of creationsOf(input)) {
      const index = schema?.indexes.get(String(IndexName));
      // One of several keys is read from the table itself.
      if (index === undefined || several.some(({ indexName }) => indexName === IndexName)) continue;
      leaveOutViolations(database, { tableName, indexName: String(IndexName), keys: boundedKeys(index) });
    }
    if (several.length === 0) return answer;
    keepSeveralKeys(database, tableName, several, objects(input, 'AttributeDefinitions'));
  } finally {
    database.close();
  }
  await handle.store.restart();
  const described = await handle.store.send(
    'DescribeTable',
    JSON.stringify({ TableName: tableName }),
    signal,
  );
  if (described.status !== 200) return described;
  const { Table } = JSON.parse(described.body.toString('utf8')) as Fields;
  return { status: 200, body: Buffer.from(JSON.stringify({ TableDescription: Table })) };
}

function creationsOf(input: Fields): readonly Fields[] {
  return objects(input, 'GlobalSecondaryIndexUpdates').flatMap((update) =>
    isFields(update['Create']) ? [update['Create']] : [],
  );
}

const ofKind = (creation: Fields, kind: 'HASH' | 'RANGE'): readonly Fields[] =>
  objects(creation, 'KeySchema').filter((one) => text(one, 'KeyType') === kind);

function wholeKeys(creation: Fields): readonly WholeKeys[] {
  const kinds = [ofKind(creation, 'HASH'), ofKind(creation, 'RANGE')];
  const isSeveral = kinds.some((elements) => elements.length > 1);
  return isSeveral ? [{ indexName: String(creation['IndexName']), keySchema: kinds.flat() }] : [];
}

/** The request with the first attribute of each key only. */
function withFirstKeys(input: Fields): Fields {
  const updates = objects(input, 'GlobalSecondaryIndexUpdates').map((update) => {
    if (!isFields(update['Create'])) return update;
    const creation = object(update, 'Create');
    const first = [...ofKind(creation, 'HASH').slice(0, 1), ...ofKind(creation, 'RANGE').slice(0, 1)];
    return wholeKeys(creation).length === 0 ? update : { Create: { ...creation, KeySchema: first } };
  });
  return { ...input, GlobalSecondaryIndexUpdates: updates };
}
