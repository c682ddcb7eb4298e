import { NESTED_ATTRIBUTES_MAX, UNSAMPLED_ATTRIBUTE_DAYS_MAX } from '../limits.ts';
import { byName, mostFrequent } from './attribute-statistics.ts';
import type { AttributeStatistics, KeyAttribute, TableDescription } from './table-metadata.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What is known together with what was met elsewhere. Of `met`, only what `known` lacks counts: attributes, types,
 * larger digits, entries of maps. So merging the same again changes nothing, and the very same array comes back where
 * nothing is new. A sample that missed an attribute proves it rare, so what is added counts one item for each type.
 */
export function mergeAttributes(
  known: readonly AttributeStatistics[],
  met: readonly AttributeStatistics[],
  unsampledSince: string | null,
): readonly AttributeStatistics[] {
  const merged = new Map(known.map((attribute) => [attribute.name, attribute]));
  let changed = false;
  for (const attribute of met) {
    const present = merged.get(attribute.name);
    const next = present === undefined ? asNew(attribute, unsampledSince) : mergeOne(present, attribute);
    if (next === present) continue;
    merged.set(attribute.name, next);
    changed = true;
  }
  return changed ? byName([...merged.values()]) : known;
}

function mergeOne(known: AttributeStatistics, met: AttributeStatistics): AttributeStatistics {
  const newTypes = met.types.filter(({ type }) => !known.types.some((present) => present.type === type));
  const integerDigits = Math.max(known.integerDigits, met.integerDigits);
  const scale = Math.max(known.scale, met.scale);
  const nested = boundedEntries(known.nested, mergeAttributes(known.nested, met.nested, null));
  const same =
    newTypes.length === 0 &&
    integerDigits === known.integerDigits &&
    scale === known.scale &&
    nested === known.nested;
  if (same) return known;
  const types = [...known.types, ...newTypes.map(({ type }) => Object.freeze({ type, count: 1 }))];
  return Object.freeze({
    ...known,
    types: Object.freeze(types.sort((a, b) => (a.type < b.type ? -1 : 1))),
    integerDigits,
    scale,
    nested,
  });
}

/** A full map stays as it is: which of its rare entries is known must not change from one report to the next. */
function boundedEntries(
  known: readonly AttributeStatistics[],
  merged: readonly AttributeStatistics[],
): readonly AttributeStatistics[] {
  if (merged.length <= NESTED_ATTRIBUTES_MAX) return merged;
  return known.length >= NESTED_ATTRIBUTES_MAX ? known : byName(mostFrequent(merged, NESTED_ATTRIBUTES_MAX));
}

function asNew(met: AttributeStatistics, unsampledSince: string | null): AttributeStatistics {
  const once: AttributeStatistics = {
    name: met.name,
    types: Object.freeze(met.types.map(({ type }) => Object.freeze({ type, count: 1 }))),
    integerDigits: met.integerDigits,
    scale: met.scale,
    nested: byName(
      mostFrequent(
        met.nested.map((entry) => asNew(entry, null)),
        NESTED_ATTRIBUTES_MAX,
      ),
    ),
    distinctValues: Math.min(1, met.distinctValues),
  };
  const since = met.unsampledSince ?? unsampledSince;
  if (since === null) return Object.freeze(once);
  // What an earlier sample met has its place already.
  const metSince = met.metSince ?? (met.unsampledSince === undefined ? since : undefined);
  return Object.freeze({ ...once, unsampledSince: since, ...(metSince !== undefined && { metSince }) });
}

/** The attributes, each with the place that it has had among the columns; those that are new are met now. */
export function inTheirPlaces(
  attributes: readonly AttributeStatistics[],
  previous: readonly AttributeStatistics[],
  now: string,
): readonly AttributeStatistics[] {
  const before = new Map(previous.map((attribute) => [attribute.name, attribute]));
  return attributes.map(({ metSince: _metSince, ...attribute }) => {
    const known = before.get(attribute.name);
    const metSince = known === undefined ? now : known.metSince;
    return Object.freeze({ ...attribute, ...(metSince !== undefined && { metSince }) });
  });
}

/** Attributes of an earlier sample that are still worth keeping beside a new one. */
export function stillKnown(
  previous: readonly AttributeStatistics[],
  nowMs: number,
): readonly AttributeStatistics[] {
  const oldest = nowMs - UNSAMPLED_ATTRIBUTE_DAYS_MAX * DAY_MS;
  return previous.filter(
    ({ unsampledSince }) => unsampledSince === undefined || Date.parse(unsampledSince) >= oldest,
  );
}

/**
 * The attributes together with the table's keys and its indexes' keys, which are attributes whether the sample met
 * them or not. Their declared type is always among their types.
 */
export function withKeyAttributes(
  attributes: readonly AttributeStatistics[],
  description: TableDescription,
): readonly AttributeStatistics[] {
  const merged = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  for (const { name, type } of keyAttributes(description)) {
    const present = merged.get(name) ?? unmet(name);
    if (present.types.some((met) => met.type === type)) continue;
    merged.set(
      name,
      Object.freeze({
        ...present,
        types: Object.freeze([...present.types, Object.freeze({ type, count: 0 })]),
      }),
    );
  }
  return byName([...merged.values()]);
}

/** Every key attribute of the table and its indexes, repetitions included. */
export function keyAttributes(description: TableDescription): readonly KeyAttribute[] {
  const { partitionKey, sortKey } = description.key;
  return [
    ...(sortKey === null ? [partitionKey] : [partitionKey, sortKey]),
    ...description.indexes.flatMap(({ key }) => [...key.partitionKeys, ...key.sortKeys]),
  ];
}

const unmet = (name: string): AttributeStatistics => ({
  name,
  types: [],
  integerDigits: 0,
  scale: 0,
  nested: [],
  distinctValues: 0,
});
