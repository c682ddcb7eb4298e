import { isFields, type Fields } from './input.ts';

/** Read or write units that one table's part of a request consumed. */
export interface ConsumedUnits {
  readonly tableName: string;
  readonly units: number;
}

/** A store's answer, made what DynamoDB's would be. */
interface CorrectedResponse {
  readonly body: Buffer;
  readonly consumed: readonly ConsumedUnits[];
}

/**
 * Reads what a successful answer says it consumed, without reading its items: a page can hold a megabyte, and
 * stores put these members last.
 * @param body the store's answer, unchanged
 * @param request.overcountsCutPages whether the store counts the item that no longer fits a page as scanned
 * @param request.capacityAsked whether the caller asked for ConsumedCapacity; else it is taken out
 */
export function correctResponse(
  operation: string,
  body: Buffer,
  request: {
    readonly capacityAsked: boolean;
    readonly input: Fields;
    readonly overcountsCutPages: boolean;
  },
): CorrectedResponse {
  const isPage = operation === 'Query' || operation === 'Scan';
  const tail = parseTail(body, isPage ? '"Count":' : '"ConsumedCapacity":') ?? parseWhole(body);
  const capacity = tail.fields['ConsumedCapacity'];
  const fields: Record<string, unknown> = { ...tail.fields };
  if (!request.capacityAsked) delete fields['ConsumedCapacity'];
  if (isPage && request.overcountsCutPages) fields['ScannedCount'] = scannedCount(fields, request.input);
  return { body: withTail(body, tail.start, fields), consumed: consumedUnits(capacity) };
}

interface Tail {
  /** Where in the body the fields begin. */
  readonly start: number;
  readonly fields: Fields;
}

/** Parses the body's last members from `marker` on. An item's attribute of that name does not parse to the end. */
function parseTail(body: Buffer, marker: string): Tail | undefined {
  let start = body.lastIndexOf(marker);
  for (let attempt = 0; attempt < 4 && start > 0; attempt += 1) {
    const fields = tryParse(`{${body.toString('utf8', start)}`);
    if (fields !== undefined) return { start, fields };
    start = body.lastIndexOf(marker, start - 1);
  }
  return undefined;
}

function parseWhole(body: Buffer): Tail {
  return { start: 1, fields: tryParse(body.toString('utf8')) ?? {} };
}

function tryParse(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withTail(body: Buffer, start: number, fields: Fields): Buffer {
  const rest = JSON.stringify(fields).slice(1);
  if (start <= 1) return Buffer.from(`{${rest}`);
  const head = body.subarray(0, rest === '}' ? body.lastIndexOf(',', start) : start);
  return Buffer.concat([head, Buffer.from(rest)]);
}

/**
 * The store counts one too many on a page that was cut by size. Without a filter every scanned item is
 * counted, so Count is right; with one, a page that ends before its limit was cut by size.
 */
function scannedCount(fields: Fields, input: Fields): unknown {
  const scanned = fields['ScannedCount'];
  if (
    input['FilterExpression'] === undefined &&
    input['ScanFilter'] === undefined &&
    input['QueryFilter'] === undefined
  )
    return fields['Count'];
  const limit = input['Limit'];
  const cutBySize =
    fields['LastEvaluatedKey'] !== undefined && (typeof limit !== 'number' || Number(scanned) < limit);
  return cutBySize ? Number(scanned) - 1 : scanned;
}

function consumedUnits(capacity: unknown): readonly ConsumedUnits[] {
  const list: readonly unknown[] = Array.isArray(capacity) ? capacity : [capacity];
  return list.filter(isFields).map((one) => ({
    tableName: String(one['TableName']),
    units: Number(one['CapacityUnits'] ?? 0),
  }));
}
