/** What a page may cost, before it is asked for: half units. */
import {
  BatchGetItemCommand,
  GetItemCommand,
  type AttributeValue,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import type { RawReadCommand } from '@penstock/common/dynamodb/raw-reads.ts';

/** DynamoDB charges a half unit for each 4 KB of an eventually consistent read. */
const CHARGED_BYTES = 4096;
/** Limits of DynamoDB: an item, a page of Query or Scan, an answer of BatchGetItem. */
const ITEM_BYTES_MAX = 400 * 1024;
const PAGE_BYTES_MAX = 1024 * 1024;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

const halfUnitsOf = (bytes: number): number => Math.ceil(bytes / CHARGED_BYTES);

/** What a page costs whatever it finds, and what it may cost at most. */
export interface PageCost {
  readonly least: number;
  readonly most: number;
}

function costOf(items: number, pageBytesMax: number, least: number, consistent: boolean): PageCost {
  const factor = consistent ? 2 : 1;
  const most = halfUnitsOf(Math.min(items * ITEM_BYTES_MAX, pageBytesMax));
  return { least: least * factor, most: most * factor };
}

export function pageCost(command: RawReadCommand): PageCost {
  if (command instanceof GetItemCommand)
    return costOf(1, ITEM_BYTES_MAX, 1, command.input.ConsistentRead === true);
  if (command instanceof BatchGetItemCommand) {
    const asked: Record<string, KeysAndAttributes> = command.input.RequestItems ?? {};
    const [{ Keys = [], ConsistentRead = false } = {}] = Object.values(asked) as readonly {
      readonly Keys?: readonly Record<string, AttributeValue>[];
      readonly ConsistentRead?: boolean;
    }[];
    return costOf(Keys.length, BATCH_BYTES_MAX, Keys.length, ConsistentRead);
  }
  const { Limit = Infinity, ConsistentRead = false } = command.input;
  return costOf(Limit, PAGE_BYTES_MAX, 1, ConsistentRead);
}

/** The index that a page is read from; null: the table. */
export function indexOf({ input }: RawReadCommand): string | null {
  return 'IndexName' in input ? (input.IndexName ?? null) : null;
}
