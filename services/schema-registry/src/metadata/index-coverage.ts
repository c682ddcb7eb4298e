import {
  LACKING_INDEX_DAYS_MAX,
  NUMBER_BYTES_MAX,
  PARTITION_KEY_BYTES_MAX,
  SORT_KEY_BYTES_MAX,
} from '../limits.ts';
import { typeOf, type Item } from './item-value.ts';
import type { TableSample } from './sample-table.ts';
import type { KeyAttribute, SecondaryIndex, TableMetadata } from './table-metadata.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The described indexes with what is known of the items that they lack, from a sample that was taken after they were
 * described (null: none was) and from what was known. Once no item can be missing, none will be: DynamoDB refuses to
 * write it. `nowMs`: when the sample was taken.
 */
export function withCoverage(
  described: readonly SecondaryIndex[],
  sample: TableSample | null,
  previous: TableMetadata | null,
  nowMs: number,
): readonly SecondaryIndex[] {
  const known = new Map(previous?.indexes.map((index) => [index.name, index]));
  return Object.freeze(
    described.map((index) => {
      if (!index.global) return index;
      const before = known.get(index.name);
      const same = before !== undefined && isSameKey(before, index) ? before : null;
      return Object.freeze({ ...index, ...coverageOf(index, sample, same, nowMs) });
    }),
  );
}

function coverageOf(
  index: SecondaryIndex,
  sample: TableSample | null,
  before: SecondaryIndex | null,
  nowMs: number,
): Pick<SecondaryIndex, 'coverage' | 'lackingMetAt'> {
  if (sample !== null && sample.items.some((item) => isLackedBy(index, item)))
    return { coverage: 'lacking', lackingMetAt: new Date(nowMs).toISOString() };
  if (sample?.complete === true || before?.coverage === 'complete') return { coverage: 'complete' };
  const { lackingMetAt } = before ?? {};
  const isRemembered =
    lackingMetAt !== undefined && nowMs - Date.parse(lackingMetAt) < LACKING_INDEX_DAYS_MAX * DAY_MS;
  return isRemembered ? { coverage: 'lacking', lackingMetAt } : { coverage: 'assumed' };
}

/** Whether an item has all key attributes of an index and yet is not in it. */
function isLackedBy({ key }: SecondaryIndex, item: Item): boolean {
  const fits = [
    fit(item, key.partitionKeys, PARTITION_KEY_BYTES_MAX),
    fit(item, key.sortKeys, SORT_KEY_BYTES_MAX),
  ];
  return !fits.includes('absent') && fits.includes('unfit');
}

/**
 * Of a key's attributes together. Whether DynamoDB bounds the bytes of each or of all of them is not documented; to take
 * an item for missing that is not costs units, the other mistake costs rows.
 */
function fit(item: Item, attributes: readonly KeyAttribute[], bytesMax: number): 'fit' | 'unfit' | 'absent' {
  const sizes = attributes.map((attribute) => keyBytes(item, attribute));
  if (sizes.includes('absent')) return 'absent';
  let bytes = 0;
  for (const size of sizes) {
    if (typeof size === 'string') return 'unfit';
    bytes += size;
  }
  return bytes <= bytesMax ? 'fit' : 'unfit';
}

/** The bytes of a value that can be a key. */
function keyBytes(item: Item, { name, type }: KeyAttribute): number | 'unfit' | 'absent' {
  const value = item[name];
  const held = value === undefined ? null : typeOf(value);
  // NULL is what SQL takes for absent.
  if (value === undefined || held === 'NULL') return 'absent';
  if (held !== type) return 'unfit';
  if (type === 'N') return NUMBER_BYTES_MAX;
  const bytes = Buffer.byteLength(value[type] ?? '', type === 'B' ? 'base64' : 'utf8');
  return bytes > 0 ? bytes : 'unfit';
}

function isSameKey(a: SecondaryIndex, b: SecondaryIndex): boolean {
  return a.global === b.global && JSON.stringify(a.key) === JSON.stringify(b.key);
}
