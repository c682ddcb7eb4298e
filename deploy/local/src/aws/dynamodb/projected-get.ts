import { isFields, object, text, type Fields } from './input.ts';
import type { StoreAnswer } from './store/store.ts';
import type { StoreHandle } from './store/stores.ts';

/**
 * Reads by key that want a part of each item. DynamoDB charges for the whole items, "a projection expression has no
 * effect" (Developer Guide, "Capacity unit consumption for read operations"); the emulators charge for what they return.
 * So the items are asked for whole as well, to learn what they cost.
 */
export function isProjectedGet(operation: string, input: Fields): boolean {
  if (operation === 'GetItem') return isProjected(input);
  return (
    operation === 'BatchGetItem' &&
    Object.values(object(input, 'RequestItems')).some((part) => isFields(part) && isProjected(part))
  );
}

function isProjected(part: Fields): boolean {
  return text(part, 'ProjectionExpression') !== undefined || part['AttributesToGet'] !== undefined;
}

/** Does the read and answers as a store would, ConsumedCapacity included. */
export async function getProjected(
  operation: string,
  input: Fields,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<StoreAnswer> {
  const asked = text(input, 'ReturnConsumedCapacity');
  const ReturnConsumedCapacity = asked === 'INDEXES' ? asked : 'TOTAL';
  const send = (fields: Fields) =>
    handle.store.send(operation, JSON.stringify({ ...fields, ReturnConsumedCapacity }), signal);
  const [answer, charged] = await Promise.all([send(input), send(withoutProjections(operation, input))]);
  if (answer.status !== 200 || charged.status !== 200) return answer;
  const { ConsumedCapacity } = JSON.parse(charged.body.toString('utf8')) as Fields;
  const { ConsumedCapacity: _ofParts, ...fields } = JSON.parse(answer.body.toString('utf8')) as Fields;
  return { status: 200, body: Buffer.from(JSON.stringify({ ...fields, ConsumedCapacity })) };
}

function withoutProjections(operation: string, input: Fields): Fields {
  if (operation === 'GetItem') return whole(input);
  const tables = Object.entries(object(input, 'RequestItems'));
  const RequestItems = Object.fromEntries(
    tables.map(([table, part]) => [table, isFields(part) ? whole(part) : part]),
  );
  return { ...input, RequestItems };
}

function whole(part: Fields): Fields {
  const { ProjectionExpression: _p, AttributesToGet: _a, ExpressionAttributeNames: _n, ...rest } = part;
  return rest;
}
