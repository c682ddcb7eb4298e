import { dynamoValidation } from '../../errors.ts';
import { PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX } from '../../limits.ts';
import type { Condition } from '../expression/condition.ts';
import { typeOf, type Placeholders } from '../expression/placeholders.ts';
import { isFields, object, text, type AttributeValue, type Fields } from '../input.ts';
import type { KeyAttribute, KeySchema } from '../table-schema.ts';
import { compareScalars } from './scalar-order.ts';

/** Refuses key conditions whose values are not of the keys' types, are empty, or are larger than a key can be. */
export function checkKeyCondition(
  condition: Condition,
  keys: readonly KeyAttribute[],
  partitionKeys: readonly KeyAttribute[],
  placeholders: Placeholders,
): void {
  for (const { operator, operands } of condition.predicates) {
    const path = operands.find((operand) => operand.kind === 'path');
    const attribute = path && placeholders.name(path.path);
    const key = keys.find((one) => one.name === attribute);
    if (key === undefined) continue;
    for (const operand of operands) {
      const value = operand.kind === 'value' ? placeholders.value(operand.name) : undefined;
      if (value !== undefined) checkKeyValue(operator, key, value, partitionKeys.includes(key));
    }
  }
}

/** Refuses an `ExclusiveStartKey` of another partition than the one that is read. */
export function checkStartKey(
  input: Fields,
  condition: Condition,
  keys: KeySchema,
  placeholders: Placeholders,
): void {
  const start = object(input, 'ExclusiveStartKey')[keys.partitionKey.name];
  const equality = condition.predicates.find(
    ({ operator, operands }) =>
      operator === '=' &&
      operands.some((one) => one.kind === 'path' && placeholders.name(one.path) === keys.partitionKey.name),
  );
  const operand = equality?.operands.find((one) => one.kind === 'value');
  const asked = operand && placeholders.value(operand.name);
  if (asked === undefined || !isFields(start) || typeOf(start) !== typeOf(asked)) return;
  if (compareScalars(start, asked) !== 0)
    throw dynamoValidation(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
}

function checkKeyValue(
  operator: string,
  key: KeyAttribute,
  value: AttributeValue,
  isPartitionKey: boolean,
): void {
  const type = typeOf(value);
  if (operator === 'begins_with' && type === 'N')
    throw dynamoValidation(
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    );
  if (type !== key.type)
    throw dynamoValidation(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  if (type === 'N') return;
  const bytes = Buffer.byteLength(text(value, type) ?? '', type === 'B' ? 'base64' : 'utf8');
  if (bytes === 0)
    throw dynamoValidation(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${key.name}`,
    );
  if (isPartitionKey && bytes > PARTITION_KEY_BYTES_MAX)
    throw dynamoValidation(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${PARTITION_KEY_BYTES_MAX} bytes`,
    );
  if (!isPartitionKey && bytes > SORT_KEY_BYTES_MAX)
    throw dynamoValidation(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${SORT_KEY_BYTES_MAX} bytes`,
    );
}
