import { dynamoValidation } from '../../errors.ts';
import { placeholdersOf, typeOf } from '../expression/placeholders.ts';
import { isFields, object, objects, text, type AttributeValue, type Fields } from '../input.ts';
import type { IndexSchema, TableSchemas } from '../table-schema.ts';
import { hasSeveralKeys } from './several-keys.ts';

/** Attributes that a request writes to a table. */
interface Write {
  readonly tableName: string;
  readonly values: Fields;
}

/**
 * Refuses values that cannot be keys of a global index with several key attributes: of another type than its key's, or
 * empty. The store checks the first attribute of each key only. Throws ValidationException.
 */
export async function checkIndexKeyValues(
  operation: string,
  input: Fields,
  schemas: TableSchemas,
): Promise<void> {
  for (const { tableName, values } of writesOf(operation, input)) {
    const schema = await schemas.find(tableName);
    for (const [name, index] of schema?.indexes ?? [])
      if (hasSeveralKeys(index)) checkValues(values, name, index);
  }
}

function checkValues(values: Fields, indexName: string, { partitionKeys, sortKeys }: IndexSchema): void {
  for (const key of [...partitionKeys, ...sortKeys]) {
    const value = values[key.name];
    if (!isFields(value)) continue;
    const type = typeOf(value);
    if (type !== key.type)
      throw dynamoValidation(
        `One or more parameter values were invalid: Type mismatch for Index Key ${key.name} Expected: ${key.type} Actual: ${type} IndexName: ${indexName}`,
      );
    if (text(value, type) === '')
      throw dynamoValidation(
        `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. IndexName: ${indexName}, IndexKey: ${key.name}`,
      );
  }
}

function writesOf(operation: string, input: Fields): readonly Write[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
      return [writeOf(input)];
    case 'BatchWriteItem':
      return Object.entries(object(input, 'RequestItems')).flatMap(([tableName, requests]) =>
        objects({ requests }, 'requests').map((request) => ({
          tableName,
          values: object(object(request, 'PutRequest'), 'Item'),
        })),
      );
    case 'TransactWriteItems':
      return objects(input, 'TransactItems').flatMap(({ Put, Update }) =>
        [Put, Update].filter(isFields).map(writeOf),
      );
    default:
      return [];
  }
}

function writeOf(write: Fields): Write {
  const tableName = text(write, 'TableName') ?? '';
  return { tableName, values: isFields(write['Item']) ? write['Item'] : assignedValues(write) };
}

/** What an UpdateExpression sets top-level attributes to, where it is a value of the request by itself. */
function assignedValues(update: Fields): Fields {
  const placeholders = placeholdersOf(update);
  const assigned: Record<string, AttributeValue> = {};
  const expression = text(update, 'UpdateExpression') ?? '';
  for (const [, path = '', token = ''] of expression.matchAll(
    /(?<![.#\w])([#\w]+)\s*=\s*(:\w+)(?!\s*[-+\w])/g,
  )) {
    const name = placeholders.name(path);
    const value = placeholders.value(token);
    if (name !== undefined && value !== undefined) assigned[name] = value;
  }
  return assigned;
}
