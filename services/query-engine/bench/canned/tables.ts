/** DynamoDB's answers over canned tables: Scan with segments and paging, GetItem, DescribeTable. */
import { ITEM_BYTES, PAGE_ITEMS, bodyOf, idOf, itemOf, pageOf } from './items.ts';

/** Pages by table name; all are keyed by `id`. Other tables are the real endpoint's. */
const CANNED_TABLES: Readonly<Record<string, number>> = Object.freeze({
  canned_customers: 1,
  canned_cities: 1,
  canned_few: 4,
  canned_40k: 16,
  canned_500k: Math.ceil(500_000 / PAGE_ITEMS),
  /** Sent whole whatever is projected: what is left is decoding alone. */
  canned_500k_whole: Math.ceil(500_000 / PAGE_ITEMS),
  canned_1m: Math.ceil(1_000_000 / PAGE_ITEMS),
  canned_5m: Math.ceil(5_000_000 / PAGE_ITEMS),
});

export const itemsOf = (tableName: string): number => (CANNED_TABLES[tableName] ?? 0) * PAGE_ITEMS;

export interface CannedRequest {
  readonly TableName?: string;
  readonly Segment?: number;
  readonly TotalSegments?: number;
  readonly Limit?: number;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExclusiveStartKey?: { readonly id?: { readonly S?: string } };
  readonly Key?: { readonly id?: { readonly S?: string } };
}

/** The chunks of the body; null when the table or the operation is not canned. */
export function cannedAnswer(operation: string, request: CannedRequest): readonly Buffer[] | null {
  const tableName = request.TableName ?? '';
  const pages = CANNED_TABLES[tableName];
  if (pages === undefined) return null;
  switch (operation) {
    case 'DescribeTable':
      return [Buffer.from(JSON.stringify(description(tableName)))];
    case 'GetItem':
      return [Buffer.from(JSON.stringify(oneItem(tableName, numberOf(request.Key))))];
    case 'Scan':
      return scan(request, pages);
    default:
      return null;
  }
}

function numberOf(key: CannedRequest['Key']): number {
  return Number(key?.id?.S?.slice(2) ?? NaN);
}

function oneItem(tableName: string, number: number): object {
  const ConsumedCapacity = { CapacityUnits: 0.5, TableName: tableName };
  const exists = number >= 0 && number < itemsOf(tableName);
  return exists ? { ConsumedCapacity, Item: itemOf(number) } : { ConsumedCapacity };
}

/** Every key is a whole page's last, but that of a page cut by a limit, after which nothing follows. */
function scan(request: CannedRequest, pages: number): readonly Buffer[] {
  const { Segment: segment = 0, TotalSegments: segments = 1, Limit: limit } = request;
  const last = Math.floor(((segment + 1) * pages) / segments) - 1;
  const start = request.ExclusiveStartKey;
  const page =
    start === undefined
      ? Math.floor((segment * pages) / segments)
      : Math.floor(numberOf(start) / PAGE_ITEMS) + 1;
  if (page > last) return [bodyOf([], 0), Buffer.from('}')];
  const { items, body } = pageOf(page, projectionOf(request));
  if (limit !== undefined && limit < items.length) {
    const units = Math.ceil((limit * ITEM_BYTES) / 4096) / 2;
    return [bodyOf(items.slice(0, limit), units), endWith(page * PAGE_ITEMS + limit - 1)];
  }
  return [body, page === last ? Buffer.from('}') : endWith((page + 1) * PAGE_ITEMS - 1)];
}

/** The attributes that a request asks for, null for all. Parts of attributes are not canned: they come whole. */
function projectionOf(request: CannedRequest): readonly string[] | null {
  const { TableName = '', ProjectionExpression: text, ExpressionAttributeNames: names = {} } = request;
  if (text === undefined || TableName.endsWith('_whole')) return null;
  return text.split(',').map((path) => {
    const [name = ''] = path.trim().split(/[.[]/);
    return names[name] ?? name;
  });
}

function endWith(lastNumber: number): Buffer {
  return Buffer.from(`,"LastEvaluatedKey":{"id":{"S":"${idOf(lastNumber)}"}}}`);
}

function description(tableName: string): object {
  const items = itemsOf(tableName);
  return {
    Table: {
      TableName: tableName,
      TableArn: `arn:aws:dynamodb:eu-west-1:111122223333:table/${tableName}`,
      TableStatus: 'ACTIVE',
      CreationDateTime: 1.7e9,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      ItemCount: items,
      TableSizeBytes: items * ITEM_BYTES,
    },
  };
}
