import { estimateRange, type EstimateRange } from './estimate-range.ts';
import { typeOf, type Item } from './item-value.ts';
import { keyText } from './partition-runs.ts';
import type { TableSample } from './sample-table.ts';
import { singleKey, type AttributeStatistics, type TableDescription } from './table-metadata.ts';

/** What is known of the table by now. */
type SizedTable = Pick<TableDescription, 'key' | 'indexes' | 'itemCount'> & {
  readonly itemsPerKey: EstimateRange | null;
};

/** Different values for each pair of a partition and a value that was met, above which all in the table are taken to differ. */
const ALL_DISTINCT = 0.9;

/** What a sample did not meet may have come up so often in a sample like it: not at all has a chance of e^-3 then. */
const UNSEEN_MAX = 3;

/** Values of a partition on average, up to which partitions are taken to have one value each. */
const ONE_VALUE = 1.2;

const BISECTIONS = 40;

/**
 * The attributes with how many distinct values each has in the whole table. Of the partition key, partitions tell it. Of
 * all others, a sample cannot tell whether the values that it met once are rare or all there is: the range says so.
 * Nothing is added where the items have not been counted.
 */
export function withDistinctValues(
  attributes: readonly AttributeStatistics[],
  sample: TableSample,
  table: SizedTable,
): readonly AttributeStatistics[] {
  if (table.itemCount === 0 || sample.items.length === 0) return attributes;
  const partitionKey = table.key.partitionKey.name;
  const partitions = new Set(sample.items.map((item) => keyText(item, partitionKey))).size;
  return Object.freeze(
    attributes.map((attribute) => {
      const distinct = distinctOf(attribute, { ...table, sample, partitions });
      return distinct === null ? attribute : Object.freeze({ ...attribute, distinct });
    }),
  );
}

/** A table and a sample of it. */
interface SampledTable extends SizedTable {
  readonly sample: TableSample;
  /** Different partition keys of the sample. */
  readonly partitions: number;
}

function distinctOf(
  { name, distinctValues, unsampledSince }: AttributeStatistics,
  table: SampledTable,
): EstimateRange | null {
  const { itemCount, itemsPerKey, key, sample } = table;
  if (distinctValues === 0 || unsampledSince !== undefined) return null;
  if (name === key.partitionKey.name && itemsPerKey !== null && !sample.complete) {
    const { low, estimate, high } = itemsPerKey;
    const partitions = { low: itemCount / high, estimate: itemCount / estimate, high: itemCount / low };
    return estimateRange(partitions, { min: 1, max: itemCount });
  }
  const seen = valuesSeen(sample.items, key.partitionKey.name, name);
  if (seen.values === 0) return null;
  const { values } = seen;
  if (sample.complete)
    return estimateRange({ low: values, estimate: values, high: values }, { min: 1, max: itemCount });
  return rangeOf(seen, itemsWith(name, seen, table), table);
}

/** A value in a partition counts once: what repeats within one says nothing of how many values there are. */
interface ValuesSeen {
  /** Items that have the attribute, and partitions. */
  readonly items: number;
  readonly partitions: number;
  /** Different values; different pairs of a partition and a value; values that were met in one pair only. */
  readonly values: number;
  readonly pairs: number;
  readonly single: number;
}

function valuesSeen(items: readonly Item[], partitionKey: string, name: string): ValuesSeen {
  const partitions = new Map<string, Set<string>>();
  const partitionsOf = new Map<string, Set<string>>();
  let count = 0;
  for (const item of items) {
    const value = item[name];
    const type = value === undefined ? null : typeOf(value);
    if (value === undefined || (type !== 'S' && type !== 'N' && type !== 'B' && type !== 'BOOL')) continue;
    count++;
    const text = type === 'BOOL' ? String(value.BOOL) : keyText(item, name);
    const partition = keyText(item, partitionKey);
    partitions.set(partition, (partitions.get(partition) ?? new Set()).add(text));
    partitionsOf.set(text, (partitionsOf.get(text) ?? new Set()).add(partition));
  }
  const pairCounts = [...partitionsOf.values()].map(({ size }) => size);
  return {
    items: count,
    partitions: partitions.size,
    values: pairCounts.length,
    pairs: pairCounts.reduce((sum, pairs) => sum + pairs, 0),
    single: pairCounts.filter((pairs) => pairs === 1).length,
  };
}

/** Items of the whole table that have the attribute. An index says how many have its key. */
function itemsWith(name: string, seen: ValuesSeen, { indexes, itemCount, sample }: SampledTable): number {
  const index = indexes.find(
    (one) => one.global && singleKey(one.key)?.partitionKey.name === name && one.itemCount > 0,
  );
  const scaled = (itemCount * seen.items) / sample.items.length;
  return Math.max(seen.items, Math.min(itemCount, index?.itemCount ?? scaled));
}

function rangeOf(seen: ValuesSeen, items: number, table: SampledTable): EstimateRange {
  const pairs = pairsOf(seen, items, table);
  const { low, estimate, high } = uniform(seen, pairs);
  return estimateRange(
    {
      low,
      estimate,
      // Whatever the sample did not meet may be of a value of its own.
      high: Math.max(high, seen.values + ((seen.single + UNSEEN_MAX) * items) / seen.pairs),
    },
    { min: seen.values, max: items },
  );
}

/** Pairs of a partition and a value in the whole table. */
function pairsOf(
  seen: ValuesSeen,
  items: number,
  { itemCount, itemsPerKey, partitions }: SampledTable,
): number {
  const byItems = (items * seen.pairs) / seen.items;
  if (itemsPerKey === null || seen.pairs > ONE_VALUE * seen.partitions) return byItems;
  // A sample cuts partitions off, so that it has more of them for each item than the table.
  const byPartitions = ((itemCount / itemsPerKey.estimate) * seen.pairs) / partitions;
  return Math.min(byItems, byPartitions);
}

/** As if all values were equally frequent, which is the fewest that the sample can come from. */
function uniform({ values, pairs }: ValuesSeen, inTable: number): EstimateRange {
  const repeated = pairs - values;
  const likely = repeated + UNSEEN_MAX + 2 * Math.sqrt(repeated);
  const low = (pairs * pairs) / (2 * likely);
  if (values / pairs > ALL_DISTINCT) return { low, estimate: inTable * (values / pairs), high: inTable };
  const estimate = pairs / timesEach(values / pairs);
  return { low: Math.min(low, estimate), estimate, high: estimate };
}

/**
 * How often each value would be met if all were equally frequent, those included that were not met: of values that come x
 * times on average, 1 - e^-x are met, so that there are (1 - e^-x) / x different ones for each that was met.
 */
function timesEach(distinctPart: number): number {
  let [low, high] = [0, 1 / distinctPart];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (-Math.expm1(-middle) / middle > distinctPart) low = middle;
    else high = middle;
  }
  return high;
}
