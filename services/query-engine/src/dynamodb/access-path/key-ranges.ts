/**
 * What a Query has to read: ranges of sort keys within partitions, as few and as narrow as the predicates allow. Branches
 * of an OR may bind them each in their own way: `pk = 'a' AND (sk < 5 OR sk > 90)`, `pk = 'a' AND sk < 5 OR pk = 'b'`.
 */
import { indexKeyAttributes, indexKeyNames, type IndexKey, type KeyAttribute } from '../../catalog/table.ts';
import type { KeyValue, SortRange } from '../table-read.ts';
import { attributeOf, conjunctsOf, type Condition } from './condition.ts';
import { conjunctsAbout, followedOrs } from './followed-ors.ts';
import {
  ALL_KEYS,
  covers,
  hullOf,
  pointOf,
  under,
  unionOf,
  type Interval,
  type Intervals,
} from './key-interval.ts';
import { compareTuples, tupleText } from './key-value.ts';
import { fitsKey, keyValuesOf, tupleValuesOf, valueIn } from './key-values.ts';
import {
  branchesMax,
  exactnessChecksMax,
  keysMax,
  orLooksMax,
  partitionKeyBytesMax,
  sortKeyBytesMax,
} from './limits.ts';
import { intervalsLeft, sortIntervalsOf } from './sort-intervals.ts';
import { intervalAt, sortRangeOf, type ReadRange } from './sort-range.ts';

/** What is read of a partition. */
export interface PartitionRanges {
  /** A value for each attribute of the partition key. */
  readonly partition: readonly KeyValue[];
  /** In key order; none overlaps another. Null: all sort keys. */
  readonly sorts: readonly (SortRange | null)[];
  /** What of it is wanted: as `sorts`, or parts of the only one of them. */
  readonly wanted: readonly (SortRange | null)[];
}

export interface KeyRanges {
  /** In key order. Empty: no key can match. */
  readonly partitions: readonly PartitionRanges[];
  /** Conjuncts that every item of the ranges passes. */
  readonly exact: ReadonlySet<Condition>;
}

interface Partition {
  readonly partition: readonly KeyValue[];
  readonly intervals: Intervals;
}

type Partitions = ReadonlyMap<string, Partition>;

/** The ways to read what the conjuncts leave, different ones only; none where they do not bind the partition key. */
export function keyRangesOf(all: readonly Condition[], key: IndexKey): readonly KeyRanges[] {
  // What is about other attributes leaves all keys, and no read by keys alone fulfils it.
  const conjuncts = conjunctsAbout(all, indexKeyNames(key));
  const bound = [
    productOf(conjuncts, key),
    ...branchesOf(conjuncts, key),
    ...longListsOf(conjuncts, key),
  ].filter((partitions) => partitions !== null);
  // One condition a partition reads what lies between, several pay for each: which is cheaper depends on the sizes.
  const split = bound.filter((partitions) => [...partitions.values()].some(isSplit));
  return [
    ...bound.map((partitions) => rangesOf(partitions, hullOf, conjuncts, key)),
    ...split.map((partitions) => rangesOf(partitions, (intervals) => intervals, conjuncts, key)),
  ];
}

function isSplit({ intervals }: Partition): boolean {
  return intervals.length > 1;
}

/** Partition values and sort keys that the conjuncts leave each by itself. */
function productOf(conjuncts: readonly Condition[], key: IndexKey): Partitions | null {
  const partitions = tupleValuesOf(conjuncts, key.partitionKeys, partitionKeyBytesMax);
  if (partitions === null) return null;
  const intervals = sortKeysLeft(conjuncts, key.sortKeys);
  if (partitions.tuples.length * intervals.length > keysMax) return null;
  if (intervals.length === 0) return new Map();
  return new Map(partitions.tuples.map((partition) => [tupleText(partition), { partition, intervals }]));
}

/**
 * The sort keys that the conjuncts leave, by the attributes from left to right: what they say of one counts below single
 * values of those before it.
 */
function sortKeysLeft(conjuncts: readonly Condition[], attributes: readonly KeyAttribute[]): Intervals {
  const [first, ...others] = attributes;
  if (first === undefined) return ALL_KEYS;
  const own = intervalsLeft(conjuncts, first)?.intervals ?? ALL_KEYS;
  const values = own.map(valueOf);
  if (others.length === 0 || values.every((value) => value === null)) return own;
  const below = sortKeysLeft(conjuncts, others);
  if (below === ALL_KEYS || own.length * below.length > keysMax) return own;
  return own.flatMap((interval, i) => {
    const value = values[i] ?? null;
    return value === null ? [interval] : below.map((rest) => under([value], rest));
  });
}

/** The value of an interval of one attribute that has just one. */
function valueOf({ low, high }: Interval): KeyValue | null {
  const isOne =
    low?.side === 'below' && high?.side === 'above' && compareTuples(low.values, high.values) === 0;
  return isOne ? (low.values[0] ?? null) : null;
}

/** By each OR whose branches bind the key in their own way, together with the other conjuncts. */
function branchesOf(conjuncts: readonly Condition[], key: IndexKey): readonly (Partitions | null)[] {
  if (indexKeyAttributes(key).length === 1) return [];
  const followed = followedOrs(conjuncts, indexKeyNames(key), { branchesMax, looksMax: orLooksMax });
  return [...followed].flatMap(({ or, rest }) => {
    // An OR of plain comparisons is part of the product.
    if (!or.operands.some(({ kind }) => kind === 'And' || kind === 'Or')) return [];
    const united = new Map<string, Partition>();
    for (const branch of or.operands) {
      const found = productOf([...rest, ...conjunctsOf(branch)], key);
      if (found === null || united.size + found.size > keysMax) return [];
      for (const [text, { partition, intervals }] of found) {
        const before = united.get(text)?.intervals ?? [];
        united.set(text, { partition, intervals: unionOf([...before, ...intervals]) });
      }
    }
    return [united];
  });
}

/**
 * By each long list of rows, `(a, b) IN (…)`, each branch of which says just a value of each partition key attribute, and
 * of sort key attributes from left to right. What other conjuncts say is left to the residual. Only of keys with several
 * attributes: products of the lists of each would be far more than the rows.
 */
function longListsOf(conjuncts: readonly Condition[], key: IndexKey): readonly (Partitions | null)[] {
  if (key.partitionKeys.length === 1 && key.sortKeys.length <= 1) return [];
  return conjuncts.map((or) => {
    if (or.kind !== 'Or' || or.operands.length <= branchesMax || or.operands.length > keysMax) return null;
    const points = new Map<string, { partition: readonly KeyValue[]; intervals: Interval[] }>();
    for (const branch of or.operands) {
      const partition = valuesIn(branch, key.partitionKeys, partitionKeyBytesMax);
      if (partition === 'never') continue;
      const sort = valuesIn(branch, key.sortKeys, sortKeyBytesMax);
      if (sort === 'never') continue;
      if (partition.length < key.partitionKeys.length || !fitsKey(partition, partitionKeyBytesMax))
        return null;
      const text = tupleText(partition);
      const own = points.get(text) ?? { partition, intervals: [] };
      own.intervals.push(sort.length === 0 ? (ALL_KEYS[0] as Interval) : pointOf(...sort));
      points.set(text, own);
    }
    return new Map(
      [...points].map(([text, { partition, intervals }]) => [
        text,
        { partition, intervals: unionOf(intervals) },
      ]),
    );
  });
}

/** The values that a conjunction says that attributes equal, up to the first of which it says none. */
function valuesIn(
  branch: Condition,
  attributes: readonly KeyAttribute[],
  bytesMax: number,
): readonly KeyValue[] | 'never' {
  const values: KeyValue[] = [];
  for (const attribute of attributes) {
    const match = valueIn(branch, attribute, bytesMax);
    if (match.kind === 'never') return 'never';
    if (match.kind === 'unknown') break;
    values.push(match.value);
  }
  return values;
}

function rangesOf(
  partitions: Partitions,
  cut: (intervals: Intervals) => Intervals,
  conjuncts: readonly Condition[],
  key: IndexKey,
): KeyRanges {
  const inOrder = [...partitions.values()].sort((a, b) => compareTuples(a.partition, b.partition));
  const groups = inOrder.map(({ partition, intervals }) => ({
    partition,
    read: distinctReads(cut(intervals)),
    wanted: intervals.map((interval) => sortRangeOf(interval).range),
  }));
  const read = groups.flatMap((group) =>
    group.read.map(({ reads }) => ({ partition: group.partition, reads })),
  );
  return {
    partitions: groups.map((group) => ({
      partition: group.partition,
      sorts: group.read.map(({ range }) => range),
      wanted: group.wanted,
    })),
    exact: new Set(
      conjuncts.filter((conjunct) => {
        if (leavesOf(conjunct) * read.length > exactnessChecksMax) return false;
        const passes = passedBy(conjunct, key);
        return passes !== null && read.every(({ partition, reads }) => passes(partition, reads));
      }),
    ),
  };
}

/** What is read for intervals, without what is read along with another: where keys are too long, they are shortened. */
function distinctReads(intervals: Intervals): readonly ReadRange[] {
  const distinct: ReadRange[] = [];
  for (const next of intervals.map(sortRangeOf)) {
    const last = distinct.at(-1);
    if (last !== undefined && covers([last.reads], next.reads)) continue;
    if (last !== undefined && covers([next.reads], last.reads)) distinct.pop();
    distinct.push(next);
  }
  return distinct;
}

function leavesOf(condition: Condition): number {
  if (condition.kind !== 'And' && condition.kind !== 'Or') return 1;
  return condition.operands.reduce((sum, operand) => sum + leavesOf(operand), 0);
}

/** Tells whether all items of a partition's interval pass a condition; null where it is not about the key alone. */
function passedBy(
  condition: Condition,
  key: IndexKey,
): ((partition: readonly KeyValue[], interval: Interval) => boolean) | null {
  switch (condition.kind) {
    case 'And': {
      const parts = condition.operands.map((operand) => passedBy(operand, key));
      if (!parts.every((part) => part !== null)) return null;
      return (partition, interval) => parts.every((part) => part(partition, interval));
    }
    case 'Or': {
      const parts = condition.operands
        .map((operand) => passedBy(operand, key))
        .filter((part) => part !== null);
      return (partition, interval) => parts.some((part) => part(partition, interval));
    }
    case 'IsNull': {
      const name = attributeOf(condition.column) ?? '';
      return condition.negated && indexKeyNames(key).includes(name) ? () => true : null;
    }
    case 'Compare':
    case 'In':
    case 'Prefix': {
      const name = attributeOf(condition.column);
      const place = key.partitionKeys.findIndex((attribute) => attribute.name === name);
      const attribute = key.partitionKeys[place];
      if (attribute !== undefined) {
        const values = keyValuesOf([condition], attribute, partitionKeyBytesMax);
        if (values === null || !values.exact.has(condition)) return null;
        const texts = new Set(values.values.map(({ value }) => value));
        return (partition) => texts.has(partition[place]?.value ?? '');
      }
      const at = key.sortKeys.findIndex((one) => one.name === name);
      const sortKey = key.sortKeys[at];
      const said = sortKey === undefined ? null : sortIntervalsOf(condition, sortKey);
      return said?.exact === true ? (_, interval) => covers(said.intervals, intervalAt(interval, at)) : null;
    }
    default:
      return null;
  }
}
