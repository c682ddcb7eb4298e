import { AwsError } from '../../errors.ts';
import { TRANSACTION_ITEMS_MAX } from '../../limits.ts';
import { object, objects, text, type Fields } from '../input.ts';
import { keyOf, withUsedNames } from '../local-index-fetch.ts';
import type { StoreHandle } from '../store/stores.ts';
import type { TableSchema } from '../table-schema.ts';

/**
 * The entries that a request's filter lets through. The store decides, in transactions of nothing but condition checks:
 * what a condition says of an item is what a filter says.
 */
export async function filtered(
  entries: readonly Fields[],
  input: Fields,
  table: TableSchema,
  handle: StoreHandle,
  signal: AbortSignal,
): Promise<readonly Fields[]> {
  const filter = text(input, 'FilterExpression');
  if (filter === undefined) return entries;
  const used = new Set<string>(filter.match(/:[\w-]+/g));
  const values = Object.entries(object(input, 'ExpressionAttributeValues')).filter(([name]) =>
    used.has(name),
  );
  const check = withUsedNames(
    {
      TableName: input['TableName'],
      ConditionExpression: filter,
      ...(values.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(values) }),
    },
    input,
  );
  const passed: Fields[] = [];
  for (let from = 0; from < entries.length; from += TRANSACTION_ITEMS_MAX) {
    const some = entries.slice(from, from + TRANSACTION_ITEMS_MAX);
    const TransactItems = some.map((entry) => ({ ConditionCheck: { ...check, Key: keyOf(entry, table) } }));
    const answer = await handle.store.send('TransactWriteItems', JSON.stringify({ TransactItems }), signal);
    passed.push(...some.filter(byReasons(answer.status, answer.body)));
  }
  return passed;
}

function byReasons(status: number, body: Buffer): (entry: Fields, place: number) => boolean {
  if (status === 200) return () => true;
  const refusal = JSON.parse(body.toString('utf8')) as Fields;
  const reasons = objects(refusal, 'CancellationReasons');
  const wrong = reasons.find(({ Code }) => Code !== 'None' && Code !== 'ConditionalCheckFailed');
  if (reasons.length === 0 || wrong !== undefined) {
    const message = text(wrong ?? refusal, 'Message') ?? text(refusal, 'message') ?? '';
    throw new AwsError('ValidationException', message.replace('ConditionExpression', 'FilterExpression'));
  }
  return (_entry, place) => reasons[place]?.['Code'] === 'None';
}
