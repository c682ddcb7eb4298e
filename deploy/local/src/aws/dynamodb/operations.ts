/** Operations that take `ReturnConsumedCapacity`. */
const METERED: ReadonlySet<string> = new Set([
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
]);

/** Operations that can be sent again when a store died before it answered. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'DescribeTable',
  'ListTables',
]);

/** Operations that make what is known of a table's keys out of date. */
const ALTERING: ReadonlySet<string> = new Set(['CreateTable', 'UpdateTable', 'DeleteTable']);

export const isMetered = (operation: string): boolean => METERED.has(operation);
export const isRepeatable = (operation: string): boolean => REPEATABLE.has(operation);
export const isAltering = (operation: string): boolean => ALTERING.has(operation);

/** `X` of `x-amz-target: DynamoDB_20120810.X`. */
export function operationOf(target: string): string | undefined {
  return /^DynamoDB_20120810\.([A-Za-z]+)$/.exec(target)?.[1];
}
