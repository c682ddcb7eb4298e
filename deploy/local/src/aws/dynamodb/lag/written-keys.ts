import { isFields, object, objects, text, type Fields } from '../input.ts';
import type { TableSchema } from '../table-schema.ts';

/** Operations that say which keys they write. */
const KEYED: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/** Operations that may write, and say it in a statement. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
]);

export const isKeyedWrite = (operation: string): boolean => KEYED.has(operation);
export const isStatement = (operation: string): boolean => STATEMENTS.has(operation);

/** The keys of one table that a request writes. */
export function writtenKeys(
  operation: string,
  input: Fields,
  tableName: string,
  table: TableSchema,
): readonly Fields[] {
  return writesOf(operation, input, tableName).map((write) => {
    const whole = isFields(write['Item']) ? write['Item'] : object(write, 'Key');
    return keyOf(whole, table);
  });
}

function writesOf(operation: string, input: Fields, tableName: string): readonly Fields[] {
  switch (operation) {
    case 'BatchWriteItem':
      return objects(object(input, 'RequestItems'), tableName).flatMap((request) =>
        Object.values(request).filter(isFields),
      );
    case 'TransactWriteItems':
      return objects(input, 'TransactItems')
        .flatMap((item) => Object.values(item).filter(isFields))
        .filter((write) => text(write, 'TableName') === tableName);
    default:
      return text(input, 'TableName') === tableName ? [input] : [];
  }
}

/** The key attributes of an item. */
export function keyOf(item: Fields, { partitionKey, sortKey }: TableSchema): Fields {
  const names = [partitionKey.name, ...(sortKey === undefined ? [] : [sortKey.name])];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
