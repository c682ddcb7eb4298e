import { BatchGetItemCommand, GetItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { keyText } from '../access-path/key-values.ts';
import { textOf, type ColumnBatch, type ColumnVector } from '../column-batch.ts';
import { decimalText, parseDecimal } from '../decimal.ts';
import { isObject } from '../decode/attribute-value.ts';
import { MalformedBodyError } from '../decode/malformed-body.ts';
import { pickRows } from '../pick-rows.ts';
import type { ItemKey, KeyValue } from '../table-read.ts';
import { sdkKey } from './attribute-json.ts';
import { readError } from './read-errors.ts';
import { batchGetItemInput, getItemInput, sdkItemKey } from './request.ts';
import { sendPage, type ReadSession } from './send-page.ts';

/** The item of a key, if there is one. */
export async function* getItem(session: ReadSession, key: ItemKey): AsyncGenerator<ColumnBatch> {
  const command = new GetItemCommand(getItemInput(session.read, key));
  const { batch, consumedHalfUnits: halfUnits } = await sendPage(session, command);
  session.context.observer?.fetched(session.read, { asked: 1, found: batch.rowCount, halfUnits });
  if (batch.rowCount > 0) yield batch;
}

/**
 * The items of at most 100 keys, in the keys' order whatever order they came in. The session's decoder has the table's
 * key attributes as its last columns; they are not handed on.
 */
export async function* batchGetItems(
  session: ReadSession,
  keys: readonly ItemKey[],
): AsyncGenerator<ColumnBatch> {
  const { batch } = await fetchItems(session, keys);
  if (batch.rowCount > 0) yield batch;
}

/** As `batchGetItems`; `found`: of each row, which key it is of; `halfUnits`: what all cost. The keys must be distinct. */
export async function fetchItems(
  session: ReadSession,
  keys: readonly ItemKey[],
): Promise<{ readonly batch: ColumnBatch; readonly found: readonly number[]; readonly halfUnits: number }> {
  const { read, context } = session;
  const batches: ColumnBatch[] = [];
  let halfUnits = 0;
  let left: readonly Record<string, AttributeValue>[] = keys.map((key) => sdkItemKey(read, key));
  while (left.length > 0) {
    const sentAtMs = context.pacer.now();
    const page = await sendPage(session, new BatchGetItemCommand(batchGetItemInput(read, left)));
    batches.push(page.batch);
    halfUnits += page.consumedHalfUnits;
    try {
      left = unprocessedKeys(page.unprocessedKeys?.[read.table.tableName]);
    } catch (error) {
      throw readError(error, read, context.schemaName);
    }
    // Keys are left over when DynamoDB throttles (or a response reaches 16 MB).
    if (left.length > 0) context.pacer.throttled(sentAtMs);
  }
  const fetched = inKeyOrder(batches, keys, session);
  context.observer?.fetched(read, { asked: keys.length, found: fetched.found.length, halfUnits });
  return { ...fetched, halfUnits };
}

function unprocessedKeys(entry: unknown): readonly Record<string, AttributeValue>[] {
  if (entry === undefined) return [];
  const keys: unknown = isObject(entry) ? entry['Keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every(isObject))
    throw new MalformedBodyError('UnprocessedKeys has no keys');
  return keys.map(sdkKey);
}

function inKeyOrder(
  batches: readonly ColumnBatch[],
  keys: readonly ItemKey[],
  { read }: ReadSession,
): { readonly batch: ColumnBatch; readonly found: readonly number[] } {
  const items = new Map<string, { readonly batch: ColumnBatch; readonly row: number }>();
  const width = read.columns.length;
  for (const batch of batches)
    for (let row = 0; row < batch.rowCount; row++) {
      const partition = keyPart(batch.columns[width], row, read.table.key.partitionKey.type);
      const { sortKey } = read.table.key;
      const sort = sortKey === null ? null : keyPart(batch.columns[width + 1], row, sortKey.type);
      items.set(keyText({ partition, sort }), { batch, row });
    }
  const rows = keys.map((key) => items.get(keyText(key)));
  const batch = pickRows(
    rows.filter((row) => row !== undefined),
    width,
  );
  return { batch, found: rows.flatMap((row, at) => (row === undefined ? [] : [at])) };
}

/** The key attribute's value in a row. */
export function keyPart(vector: ColumnVector | undefined, row: number, type: KeyValue['type']): KeyValue {
  const text = (vector === undefined ? null : textOf(vector, row)) ?? '';
  const decimal = type === 'N' ? parseDecimal(text) : null;
  return { type, value: decimal === null ? text : decimalText(decimal) };
}
