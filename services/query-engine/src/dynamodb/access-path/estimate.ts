/** Guesses of rows and read units, from DescribeTable's sizes and the sample. Hints only: they choose, never decide an answer. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { Attribute, CatalogTable, SecondaryIndex } from '../../catalog/table.ts';
import { attributeOf, type Condition } from './condition.ts';

/** DynamoDB charges reads in steps of 4 KB; eventually consistent ones half. */
const unitBytes = 4096;
const halfUnit = 0.5;

/** What is assumed of a table that was not counted yet: that it may be large. */
const UNKNOWN_ITEMS = 1_000_000;
const UNKNOWN_ITEM_BYTES = 400;
/** And of one that was empty when it was sampled: it may have got its first items since. */
const EMPTY_ITEMS = 1;

const SELECTIVITY = Object.freeze({ equals: 0.1, range: 1 / 3, prefix: 0.1, isNull: 0.1, notNull: 0.9 });

/** Distinct values in a sample, as a part of its items, above which all items of the table are taken to differ. */
const ALL_DISTINCT = 0.9;
const BISECTIONS = 20;

export interface Size {
  readonly items: number;
  readonly itemBytes: number;
}

/** Whether the items of a table have been counted; if not, a read of all of them may cost anything. */
export function isCounted({ itemCount }: CatalogTable): boolean {
  return itemCount > 0;
}

/** Of the table, or of an index. */
export function sizeOf(table: CatalogTable, index: SecondaryIndex | null): Size {
  const { itemCount, sizeBytes, sampledItems } = table;
  const uncounted = table.foundEmpty === true ? EMPTY_ITEMS : UNKNOWN_ITEMS;
  // Of a table that is not counted, the bytes are those of the sampled items.
  const measured = isCounted(table) ? itemCount : sampledItems;
  const tableSize: Size = {
    items: isCounted(table) ? itemCount : uncounted,
    itemBytes: measured > 0 && sizeBytes > 0 ? sizeBytes / measured : UNKNOWN_ITEM_BYTES,
  };
  if (index === null || index.itemCount === 0 || index.sizeBytes === 0) return tableSize;
  return { items: index.itemCount, itemBytes: index.sizeBytes / index.itemCount };
}

/** Units of reading so many items in one go: sizes are summed, then rounded up. */
export function unitsOfRange(items: number, size: Size, consistent: boolean): number {
  const half = Math.max(1, Math.ceil((items * size.itemBytes) / unitBytes));
  return half * halfUnit * (consistent ? 2 : 1);
}

/** Items of which a read costs no more than of one, as large as they are on average. */
export function itemsOfLeastRead({ itemBytes }: Size): number {
  return Math.max(1, Math.floor(unitBytes / itemBytes));
}

/** Units of the least read. */
export function leastUnits(consistent: boolean): number {
  return halfUnit * (consistent ? 2 : 1);
}

/** Units of so many items read by key: each is rounded up on its own. */
export function unitsOfKeys(keys: number, size: Size, consistent: boolean): number {
  return keys * Math.max(1, Math.ceil(size.itemBytes / unitBytes)) * halfUnit * (consistent ? 2 : 1);
}

/** How many items share one value of an attribute. */
export function itemsPerValue(table: CatalogTable, attribute: string, items: number): number {
  return Math.max(1, items * partOfValue(table, attribute));
}

/** The part of a table that one value of an attribute stands for; 0: every item has a value of its own. */
export function partOfValue(table: CatalogTable, attribute: string | number | undefined): number {
  if (typeof attribute !== 'string') return SELECTIVITY.equals;
  return (sharesOf(table).get(attribute) ?? null)?.() ?? SELECTIVITY.equals;
}

type Share = () => number | null;

/** Tables are frozen and asked about many times while one statement is planned; each share is computed once. */
const sharesOf = remembered(
  (table: CatalogTable): ReadonlyMap<string, Share> =>
    new Map(
      // Of two of one name, the first.
      table.attributes.toReversed().map((attribute) => {
        let share: number | null | undefined;
        return [
          attribute.name,
          () => (share === undefined ? (share = distinctShare(attribute, table)) : share),
        ];
      }),
    ),
);

/** Null where the sample does not tell. */
function distinctShare(attribute: Attribute, table: CatalogTable): number | null {
  const { sampledItems, itemsPerKey } = table;
  // Of the table's partition key, whose items are sampled in clusters, partitions tell.
  if (itemsPerKey !== undefined && attribute.name === table.key.partitionKey.name)
    return Math.min(1, itemsPerKey.estimate / sizeOf(table, null).items);
  if (attribute.distinct !== undefined) return 1 / Math.max(1, attribute.distinct.estimate);
  if (attribute.distinctValues === 0 || sampledItems === 0) return null;
  const { distinctValues } = attribute;
  const distinctPart = Math.min(1, distinctValues / sampledItems);
  // Nearly every sampled item had a value of its own: so it will be in the table.
  if (distinctPart > ALL_DISTINCT) return 0;
  return samplesPerValue(distinctPart) / sampledItems;
}

/**
 * How often each value would be in the sample if all were equally frequent, those included that are not in it: of values
 * that come x times on average, 1 - e^-x are there, so that the sample has (1 - e^-x) / x distinct ones for each item.
 */
function samplesPerValue(distinctPart: number): number {
  let [low, high] = [0, 1 / distinctPart];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (-Math.expm1(-middle) / middle > distinctPart) low = middle;
    else high = middle;
  }
  return high;
}

/** The part of the items that pass a condition. */
export function selectivityOf(condition: Condition, table: CatalogTable): number {
  switch (condition.kind) {
    case 'Never':
      return 0;
    case 'Always':
      return 1;
    case 'Unknown':
      return SELECTIVITY.range;
    case 'And':
      return condition.operands.reduce((part, operand) => part * selectivityOf(operand, table), 1);
    case 'Or':
      return Math.min(
        1,
        condition.operands.reduce((part, operand) => part + selectivityOf(operand, table), 0),
      );
    case 'IsNull':
      return condition.negated ? SELECTIVITY.notNull : SELECTIVITY.isNull;
    case 'Prefix':
      return SELECTIVITY.prefix;
    case 'In':
      return Math.min(1, condition.literals.length * equalsSelectivity(condition.column.path[0], table));
    case 'Compare':
      if (condition.operator === '=')
        return equalsSelectivity(attributeOf(condition.column) ?? undefined, table);
      return condition.operator === '<>' ? SELECTIVITY.notNull : SELECTIVITY.range;
  }
}

function equalsSelectivity(attribute: string | number | undefined, table: CatalogTable): number {
  const share = partOfValue(table, attribute);
  return share === 0 ? 1 / Math.max(1, sizeOf(table, null).items) : share;
}
