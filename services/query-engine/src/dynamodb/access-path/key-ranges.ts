/**
 * What a Query has to read: ranges of sort keys within partitions, as few and as narrow as the predicates allow. Branches
 * of an OR may bind them each in their own way: `pk = 'a' AND (sk < 5 OR sk > 90)`, `pk = 'a' AND sk < 5 OR pk = 'b'`.
 */
import { keyNames, type KeySchema } from '../../catalog/table.ts';
import type { KeyValue, SortCondition } from '../table-read.ts';
import { attributeOf, conjunctsOf, type Condition } from './condition.ts';
import { conjunctsAbout, followedOrs } from './followed-ors.ts';
import {
  ALL_KEYS,
  covers,
  hullOf,
  intersectionOf,
  sortConditionOf,
  unionOf,
  type Interval,
  type Intervals,
} from './key-interval.ts';
import { compareKeyValues } from './key-value.ts';
import { keyValuesOf } from './key-values.ts';
import { branchesMax, exactnessChecksMax, keysMax, orLooksMax, partitionKeyBytesMax } from './limits.ts';
import { sortIntervalsOf } from './sort-intervals.ts';

/** What is read of a partition. */
export interface PartitionRanges {
  readonly partition: KeyValue;
  /** In key order; none overlaps another. Null: all sort keys. */
  readonly sorts: readonly (SortCondition | null)[];
  /** What of it is wanted: as `sorts`, or parts of the only one of them. */
  readonly wanted: readonly (SortCondition | null)[];
}

export interface KeyRanges {
  /** In key order. Empty: no key can match. */
  readonly partitions: readonly PartitionRanges[];
  /** Conjuncts that every item of the ranges passes. */
  readonly exact: ReadonlySet<Condition>;
}

type Partitions = ReadonlyMap<string, { readonly partition: KeyValue; readonly intervals: Intervals }>;

/** The ways to read what the conjuncts leave, different ones only; none where they do not bind the partition key. */
export function keyRangesOf(all: readonly Condition[], key: KeySchema): readonly KeyRanges[] {
  // What is about other attributes leaves all keys, and no read by keys alone fulfils it.
  const conjuncts = conjunctsAbout(all, keyNames(key));
  const bound = [productOf(conjuncts, key), ...branchesOf(conjuncts, key)].filter(
    (partitions) => partitions !== null,
  );
  // One condition a partition reads what lies between, several pay for each: which is cheaper depends on the sizes.
  const split = bound.filter((partitions) => [...partitions.values()].some(isSplit));
  return [
    ...bound.map((partitions) => rangesOf(partitions, hullOf, conjuncts, key)),
    ...split.map((partitions) => rangesOf(partitions, (intervals) => intervals, conjuncts, key)),
  ];
}

function isSplit({ intervals }: { readonly intervals: Intervals }): boolean {
  return intervals.length > 1;
}

/** Partition values and sort keys that the conjuncts leave each by itself. */
function productOf(conjuncts: readonly Condition[], key: KeySchema): Partitions | null {
  const partitions = keyValuesOf(conjuncts, key.partitionKey, partitionKeyBytesMax);
  if (partitions === null) return null;
  const intervals = key.sortKey === null ? ALL_KEYS : sortKeysLeft(conjuncts, key.sortKey);
  if (partitions.values.length * intervals.length > keysMax) return null;
  if (intervals.length === 0) return new Map();
  return new Map(partitions.values.map((partition) => [partition.value, { partition, intervals }]));
}

function sortKeysLeft(
  conjuncts: readonly Condition[],
  sortKey: NonNullable<KeySchema['sortKey']>,
): Intervals {
  return conjuncts.reduce((left, conjunct) => {
    const said = sortIntervalsOf(conjunct, sortKey);
    return said === null ? left : intersectionOf(left, said.intervals);
  }, ALL_KEYS);
}

/** By each OR whose branches bind the key in their own way, together with the other conjuncts. */
function branchesOf(conjuncts: readonly Condition[], key: KeySchema): readonly (Partitions | null)[] {
  if (key.sortKey === null) return [];
  const followed = followedOrs(conjuncts, keyNames(key), { branchesMax, looksMax: orLooksMax });
  return [...followed].flatMap(({ or, rest }) => {
    // An OR of plain comparisons is part of the product.
    if (!or.operands.some(({ kind }) => kind === 'And' || kind === 'Or')) return [];
    const united = new Map<string, { partition: KeyValue; intervals: Intervals }>();
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

function rangesOf(
  partitions: Partitions,
  cut: (intervals: Intervals) => Intervals,
  conjuncts: readonly Condition[],
  key: KeySchema,
): KeyRanges {
  const inOrder = [...partitions.values()].sort((a, b) => compareKeyValues(a.partition, b.partition));
  const groups = inOrder.map(({ partition, intervals }) => ({
    partition,
    read: cut(intervals).map(sortConditionOf),
    wanted: intervals.map((interval) => sortConditionOf(interval).condition),
  }));
  const read = groups.flatMap((group) =>
    group.read.map(({ reads }) => ({ partition: group.partition, reads })),
  );
  return {
    partitions: groups.map((group) => ({
      partition: group.partition,
      sorts: group.read.map(({ condition }) => condition),
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

function leavesOf(condition: Condition): number {
  if (condition.kind !== 'And' && condition.kind !== 'Or') return 1;
  return condition.operands.reduce((sum, operand) => sum + leavesOf(operand), 0);
}

/** Tells whether all items of a partition's interval pass a condition; null where it is not about the key alone. */
function passedBy(
  condition: Condition,
  key: KeySchema,
): ((partition: KeyValue, interval: Interval) => boolean) | null {
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
      const name = attributeOf(condition.column);
      const always = condition.negated && (name === key.partitionKey.name || name === key.sortKey?.name);
      return always ? () => true : null;
    }
    case 'Compare':
    case 'In':
    case 'Prefix': {
      if (attributeOf(condition.column) === key.partitionKey.name) {
        const values = keyValuesOf([condition], key.partitionKey, partitionKeyBytesMax);
        if (values === null || !values.exact.has(condition)) return null;
        const texts = new Set(values.values.map(({ value }) => value));
        return (partition) => texts.has(partition.value);
      }
      const said = key.sortKey === null ? null : sortIntervalsOf(condition, key.sortKey);
      return said?.exact === true ? (_, interval) => covers(said.intervals, interval) : null;
    }
    default:
      return null;
  }
}
