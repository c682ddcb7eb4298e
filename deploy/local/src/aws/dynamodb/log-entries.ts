import type { RequestLogEntry } from '../request-log.ts';
import { readableExpression } from './expression/readable.ts';
import { isFields, object, objects, text, type Fields } from './input.ts';
import type { ConsumedUnits } from './response.ts';
import { tablesOf } from './tables.ts';

/** How a request went. */
interface Outcome {
  readonly consumed: readonly ConsumedUnits[];
  readonly error: string | null;
  readonly atMs: number;
}

/** The log entries of one request: one for each table, or one without a table. */
export function logEntries(operation: string, input: Fields, outcome: Outcome): readonly RequestLogEntry[] {
  const tables = tablesOf(input);
  const named = tables.length > 0 ? tables : outcome.consumed.map(({ tableName }) => tableName);
  return (named.length > 0 ? named : [null]).map((tableName) => {
    const batch = tableName === null ? {} : object(object(input, 'RequestItems'), tableName);
    const part = operation === 'BatchGetItem' ? batch : input;
    const expression = (name: string) => {
      const written = text(part, name);
      return written === undefined ? null : readableExpression(written, part);
    };
    return {
      operation,
      tableName,
      indexName: text(input, 'IndexName') ?? null,
      keyCondition: expression('KeyConditionExpression'),
      segment: integer(input, 'Segment'),
      consumedUnits: unitsOf(outcome.consumed, tableName),
      totalSegments: integer(input, 'TotalSegments'),
      filter: expression('FilterExpression'),
      projection: expression('ProjectionExpression'),
      limit: integer(input, 'Limit'),
      keys: keyCount(operation, part),
      consistentRead: part['ConsistentRead'] === true,
      error: outcome.error,
      at: new Date(outcome.atMs).toISOString(),
    };
  });
}

function unitsOf(consumed: readonly ConsumedUnits[], tableName: string | null): number {
  return consumed.filter((one) => one.tableName === tableName).reduce((sum, { units }) => sum + units, 0);
}

function keyCount(operation: string, part: Fields): number | null {
  if (operation === 'GetItem') return 1;
  return operation === 'BatchGetItem' && isFields(part) ? objects(part, 'Keys').length : null;
}

function integer(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
}
