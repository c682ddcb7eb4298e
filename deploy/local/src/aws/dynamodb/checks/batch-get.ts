import { dynamoValidation } from '../../errors.ts';
import { BATCH_GET_KEYS_MAX } from '../../limits.ts';
import { isFields, object, objects, type AttributeValue, type Fields } from '../input.ts';
import { typeOf } from '../expression/placeholders.ts';
import { canonicalNumber } from './scalar-order.ts';

/** Refuses more than 100 keys over all tables, and keys that are the same number written differently. */
export function checkBatchGet(input: Fields): void {
  const tables = Object.values(object(input, 'RequestItems')).filter(isFields);
  const keys = tables.map((table) => objects(table, 'Keys'));
  if (keys.reduce((count, list) => count + list.length, 0) > BATCH_GET_KEYS_MAX)
    throw dynamoValidation('Too many items requested for the BatchGetItem call');
  for (const list of keys)
    if (new Set(list.map(identity)).size < list.length)
      throw dynamoValidation('Provided list of item keys contains duplicates');
}

function identity(key: Fields): string {
  const parts = Object.entries(key).map(([name, value]) => [name, isFields(value) ? plain(value) : value]);
  return JSON.stringify(parts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function plain(value: AttributeValue): unknown {
  const type = typeOf(value);
  return [type, type === 'N' ? canonicalNumber(String(value['N'])) : value[type]];
}
