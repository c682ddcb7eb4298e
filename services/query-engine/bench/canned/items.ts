/** Items and pages that the canned tables are made of: the same in every run. */

/** As DynamoDB counts them: names and values. */
export const ITEM_BYTES = 400;
/** DynamoDB ends a page at 1 MiB of items. */
export const PAGE_ITEMS = Math.floor((1024 * 1024) / ITEM_BYTES);
/** Different pages; a table of more repeats them. */
const DIFFERENT_PAGES = 32;
/** Eventually consistent. */
const PAGE_UNITS = Math.ceil((PAGE_ITEMS * ITEM_BYTES) / 4096) / 2;

export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const STATUSES = ['NEW', 'PAID', 'SHIPPED', 'CANCELLED'];
const CITIES = ['Lyon', 'Porto', 'Graz', 'Turku', 'Ghent', 'Split', 'Bergen', 'Aarhus'];

export const idOf = (number: number): string => `o-${String(number).padStart(9, '0')}`;

function bytesOf(item: Item): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    const [[type, content]] = Object.entries(value) as [[string, unknown]];
    bytes += name.length;
    if (type === 'N') bytes += Math.ceil(String(content).length / 2) + 1;
    else bytes += type === 'S' ? String(content).length : 1;
  }
  return bytes;
}

/** Item `number` of a table: ten attributes, `ITEM_BYTES` in all. */
export function itemOf(number: number): Item {
  const item: Item = {
    id: { S: idOf(number) },
    customer_id: { S: `c-${String((number * 7919) % 50_000).padStart(8, '0')}` },
    status: { S: STATUSES[(number * 31) % STATUSES.length] },
    amount: { N: `${(number * 37) % 1000}.${String((number * 13) % 100).padStart(2, '0')}` },
    qty: { N: String((number * 11) % 17) },
    city: { S: CITIES[(number * 17) % CITIES.length] },
    created_at: { S: new Date(1.7e12 + number * 1000).toISOString() },
    gift: { BOOL: number % 5 === 0 },
    channel: { S: number % 3 === 0 ? 'web' : 'app' },
  };
  const noteBytes = ITEM_BYTES - bytesOf(item) - 'note'.length;
  return { ...item, note: { S: 'lorem ipsum dolor sit amet '.repeat(20).slice(0, noteBytes) } };
}

/** A page's text up to what differs from page to page of a table: its last key. */
export interface CannedPage {
  readonly items: readonly Item[];
  readonly body: Buffer;
}

/** Pages by the names that are projected. */
const kept = new Map<string, readonly CannedPage[]>();

/**
 * Page `number` of any table; its items are those of the page that it repeats. `names`: the attributes that are asked
 * for, null for all. A projection changes what is sent, not what is read.
 */
export function pageOf(number: number, names: readonly string[] | null): CannedPage {
  const key = names === null ? '' : names.join();
  let pages = kept.get(key);
  if (pages === undefined) {
    pages = Array.from({ length: DIFFERENT_PAGES }, (_, page) => {
      const items = Array.from({ length: PAGE_ITEMS }, (__, i) =>
        projected(itemOf(page * PAGE_ITEMS + i), names),
      );
      return { items, body: bodyOf(items, PAGE_UNITS) };
    });
    kept.set(key, pages);
  }
  return pages[number % DIFFERENT_PAGES] as CannedPage;
}

function projected(item: Item, names: readonly string[] | null): Item {
  if (names === null) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** A body without its end: a last key or nothing, and the closing brace, are to follow. */
export function bodyOf(items: readonly Item[], units: number): Buffer {
  const count = items.length;
  const head = { ConsumedCapacity: { CapacityUnits: units, TableName: 't' }, Count: count, Items: items };
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"ScannedCount":${count}`);
}
