/** Which values of a key attribute the predicates leave, and which whole keys. */
import { keyNames, type KeyAttribute, type KeySchema } from '../../catalog/table.ts';
import type { ItemKey, KeyValue } from '../table-read.ts';
import { attributeOf, conjunctsOf, type Condition } from './condition.ts';
import { conjunctsAbout, followedOrs } from './followed-ors.ts';
import { compareKeyValues, keyBytes, keyValueOf, type KeyMatch } from './key-value.ts';
import { branchesMax, keysMax, orLooksMax, partitionKeyBytesMax, sortKeyBytesMax } from './limits.ts';

/** Without duplicates, ascending. Empty: no item can match. */
export interface KeyValues {
  readonly values: readonly KeyValue[];
  /** Conjuncts that reading just these values fulfils entirely. */
  readonly exact: ReadonlySet<Condition>;
}

/** The values that the conjuncts leave for an attribute; null where they do not bind it to a list. */
export function keyValuesOf(
  conjuncts: readonly Condition[],
  attribute: KeyAttribute,
  bytesMax: number,
): KeyValues | null {
  let left: ReadonlyMap<string, KeyValue> | null = null;
  const exact = new Set<Condition>();
  for (const conjunct of conjuncts) {
    const found = valuesOf(conjunct, attribute, bytesMax);
    if (found === null) continue;
    left = intersection(left, new Map(found.values.map((value) => [value.value, value])));
    if (found.exact) exact.add(conjunct);
  }
  if (left === null || left.size > keysMax) return null;
  return { values: [...left.values()].sort(compareKeyValues), exact };
}

function intersection(
  before: ReadonlyMap<string, KeyValue> | null,
  values: ReadonlyMap<string, KeyValue>,
): ReadonlyMap<string, KeyValue> {
  return before === null ? values : new Map([...before].filter(([text]) => values.has(text)));
}

function valuesOf(
  condition: Condition,
  attribute: KeyAttribute,
  bytesMax: number,
): { readonly values: readonly KeyValue[]; readonly exact: boolean } | null {
  switch (condition.kind) {
    case 'Never':
      return { values: [], exact: true };
    case 'And':
    case 'Or': {
      const parts = condition.operands.map((operand) => valuesOf(operand, attribute, bytesMax));
      if (condition.kind === 'And') {
        const bound = parts.find((part) => part !== null);
        return bound === undefined || bound === null ? null : { values: bound.values, exact: false };
      }
      if (parts.some((part) => part === null)) return null;
      return {
        values: parts.flatMap((part) => part?.values ?? []),
        exact: parts.every((part) => part?.exact === true),
      };
    }
    case 'Compare':
    case 'In': {
      if (attributeOf(condition.column) !== attribute.name) return null;
      if (condition.kind === 'Compare' && condition.operator !== '=') return null;
      const literals = condition.kind === 'In' ? condition.literals : [condition.literal];
      const values: KeyValue[] = [];
      let exact = true;
      for (const literal of literals) {
        const match = keyValueOf(literal, attribute, bytesMax);
        if (match.kind === 'unknown') return null;
        if (match.kind === 'never') continue;
        values.push(match.value);
        exact &&= match.exact;
      }
      return { values, exact };
    }
    default:
      return null;
  }
}

/** Whole keys of a table that the conjuncts leave. */
export interface BoundKeys {
  readonly keys: readonly ItemKey[];
  readonly exact: ReadonlySet<Condition>;
}

/**
 * The keys that the conjuncts leave, where they bind every key attribute: products of lists, or an OR whose branches
 * bind them each in their own way (`pk = 'a' AND sk = 1 OR pk = 'b' AND sk = 2`).
 */
export function boundKeysOf(all: readonly Condition[], key: KeySchema): BoundKeys | null {
  const names = keyNames(key);
  const conjuncts = conjunctsAbout(all, names);
  let best = productOf(conjuncts, key);
  for (const or of conjuncts) {
    if (or.kind !== 'Or' || or.operands.length <= branchesMax) continue;
    const keys = tuplesOf(or.operands, key);
    if (keys !== null && (best === null || keys.length < best.keys.length)) best = { keys, exact: new Set() };
  }
  for (const { or, rest } of followedOrs(conjuncts, names, { branchesMax, looksMax: orLooksMax })) {
    const keys = new Map<string, ItemKey>();
    const bound = or.operands.every((branch) => {
      const found = productOf([...rest, ...conjunctsOf(branch)], key);
      for (const itemKey of found?.keys ?? []) keys.set(keyText(itemKey), itemKey);
      return found !== null && keys.size <= keysMax;
    });
    if (bound && (best === null || keys.size < best.keys.length))
      best = { keys: [...keys.values()].sort(compareKeys), exact: new Set() };
  }
  return best;
}

/**
 * The keys of a long list of rows, `(pk, sk) IN (…)`, each branch of which says just the two values; null where one says
 * something else. What other conjuncts say is left to the residual.
 */
function tuplesOf(branches: readonly Condition[], key: KeySchema): readonly ItemKey[] | null {
  const { partitionKey, sortKey } = key;
  if (sortKey === null || branches.length > keysMax) return null;
  const keys = new Map<string, ItemKey>();
  for (const branch of branches) {
    const partition = valueIn(branch, partitionKey, partitionKeyBytesMax);
    const sort = valueIn(branch, sortKey, sortKeyBytesMax);
    if (partition.kind === 'unknown' || sort.kind === 'unknown') return null;
    if (partition.kind === 'never' || sort.kind === 'never') continue;
    const itemKey = { partition: partition.value, sort: sort.value };
    keys.set(keyText(itemKey), itemKey);
  }
  return [...keys.values()].sort(compareKeys);
}

/** What a conjunction says that a key attribute equals. */
export function valueIn(branch: Condition, attribute: KeyAttribute, bytesMax: number): KeyMatch {
  const conjuncts = branch.kind === 'And' ? branch.operands : [branch];
  for (const conjunct of conjuncts)
    if (
      conjunct.kind === 'Compare' &&
      conjunct.operator === '=' &&
      attributeOf(conjunct.column) === attribute.name
    )
      return keyValueOf(conjunct.literal, attribute, bytesMax);
  return { kind: 'unknown' };
}

/** Lists of values of several attributes; the first attribute's vary last. */
export interface TupleValues {
  readonly tuples: readonly (readonly KeyValue[])[];
  readonly exact: ReadonlySet<Condition>;
}

/**
 * The values that the conjuncts leave for attributes of a key together: products of lists. Null where they do not bind
 * each of them, where that is too many, or where a tuple has more bytes than any of the attributes may have.
 */
export function tupleValuesOf(
  conjuncts: readonly Condition[],
  attributes: readonly KeyAttribute[],
  bytesMax: number,
): TupleValues | null {
  let tuples: readonly (readonly KeyValue[])[] = [[]];
  const exact = new Set<Condition>();
  for (const attribute of attributes) {
    const found = keyValuesOf(conjuncts, attribute, bytesMax);
    if (found === null || tuples.length * found.values.length > keysMax) return null;
    tuples = tuples.flatMap((tuple) => found.values.map((value) => [...tuple, value]));
    for (const conjunct of found.exact) exact.add(conjunct);
  }
  return tuples.every((tuple) => fitsKey(tuple, bytesMax)) ? { tuples, exact } : null;
}

/** Whether values of several attributes of a key are short enough, should they count together. */
export function fitsKey(values: readonly KeyValue[], bytesMax: number): boolean {
  return values.length === 1 || values.reduce((sum, value) => sum + keyBytes(value), 0) <= bytesMax;
}

function productOf(conjuncts: readonly Condition[], key: KeySchema): BoundKeys | null {
  const partitions = keyValuesOf(conjuncts, key.partitionKey, partitionKeyBytesMax);
  if (partitions === null) return null;
  if (key.sortKey === null)
    return {
      keys: partitions.values.map((partition) => ({ partition, sort: null })),
      exact: partitions.exact,
    };
  const sorts = keyValuesOf(conjuncts, key.sortKey, sortKeyBytesMax);
  if (sorts === null || partitions.values.length * sorts.values.length > keysMax) return null;
  return {
    keys: partitions.values.flatMap((partition) => sorts.values.map((sort) => ({ partition, sort }))),
    exact: new Set([...partitions.exact, ...sorts.exact]),
  };
}

/** One text for each key. */
export function keyText({ partition, sort }: ItemKey): string {
  return JSON.stringify([partition.value, sort?.value ?? null]);
}

function compareKeys(a: ItemKey, b: ItemKey): number {
  const byPartition = compareKeyValues(a.partition, b.partition);
  return byPartition !== 0 || a.sort === null || b.sort === null
    ? byPartition
    : compareKeyValues(a.sort, b.sort);
}
