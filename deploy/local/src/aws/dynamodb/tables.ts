import { isFields, object, objects, text, type Fields } from './input.ts';

/** Names of the tables a request is about; empty where it is about none. */
export function tablesOf(input: Fields): readonly string[] {
  const table = text(input, 'TableName');
  if (table !== undefined) return [table];
  const batch = Object.keys(object(input, 'RequestItems'));
  if (batch.length > 0) return batch;
  const transacted = objects(input, 'TransactItems').flatMap((item) =>
    Object.values(item).flatMap((of) => (isFields(of) ? (text(of, 'TableName') ?? []) : [])),
  );
  return [...new Set(transacted)];
}
