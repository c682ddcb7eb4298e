import { createHash } from 'node:crypto';
import { DISTINCT_VALUES_MAX, NESTED_ATTRIBUTES_MAX, NESTED_LEVELS_MAX } from '../limits.ts';
import { typeOf, type AttributeType, type Item, type ItemValue } from './item-value.ts';
import { numberDigits } from './number-digits.ts';
import type { AttributeStatistics } from './table-metadata.ts';

/** Longer values are compared by a hash, so that a sample of large items costs little memory. */
const DISTINCT_TEXT_MAX = 64;

/** One attribute while a sample is counted. */
interface Tally {
  readonly types: Map<AttributeType, number>;
  readonly nested: Map<string, Tally>;
  readonly distinct: Set<string>;
  integerDigits: number;
  scale: number;
}

/** Statistics of every attribute that the items hold, by name. */
export function attributeStatistics(items: readonly Item[]): readonly AttributeStatistics[] {
  const tallies = new Map<string, Tally>();
  for (const item of items) countEntries(tallies, item, 0);
  return finish(tallies);
}

function countEntries(tallies: Map<string, Tally>, entries: Item, level: number): void {
  for (const [name, value] of Object.entries(entries)) {
    const type = typeOf(value);
    if (type === null) continue;
    let tally = tallies.get(name);
    if (tally === undefined) {
      tally = { types: new Map(), nested: new Map(), distinct: new Set(), integerDigits: 0, scale: 0 };
      tallies.set(name, tally);
    }
    tally.types.set(type, (tally.types.get(type) ?? 0) + 1);
    countValue(tally, value, level);
  }
}

function countValue(tally: Tally, value: ItemValue, level: number): void {
  if (value.N !== undefined) countDigits(tally, value.N);
  if (value.M !== undefined && level < NESTED_LEVELS_MAX) countEntries(tally.nested, value.M, level + 1);
  const identity = scalarIdentity(value);
  if (identity !== null && tally.distinct.size < DISTINCT_VALUES_MAX) tally.distinct.add(identity);
}

function countDigits(tally: Tally, text: string): void {
  const digits = numberDigits(text);
  if (digits === null) return;
  tally.integerDigits = Math.max(tally.integerDigits, digits.integerDigits);
  tally.scale = Math.max(tally.scale, digits.scale);
}

function scalarIdentity(value: ItemValue): string | null {
  if (value.S !== undefined) return `S${shortened(value.S)}`;
  if (value.N !== undefined) return `N${value.N}`;
  if (value.B !== undefined) return `B${shortened(value.B)}`;
  if (value.BOOL !== undefined) return `BOOL${value.BOOL}`;
  return null;
}

function shortened(text: string): string {
  return text.length <= DISTINCT_TEXT_MAX ? text : `#${createHash('sha256').update(text).digest('base64')}`;
}

function finish(tallies: ReadonlyMap<string, Tally>, level = 0): readonly AttributeStatistics[] {
  const all = [...tallies].map(([name, tally]): AttributeStatistics => {
    const types = [...tally.types].map(([type, count]) => Object.freeze({ type, count }));
    return Object.freeze({
      name,
      types: Object.freeze(types.sort((a, b) => (a.type < b.type ? -1 : 1))),
      integerDigits: tally.integerDigits,
      scale: tally.scale,
      nested: finish(tally.nested, level + 1),
      distinctValues: tally.distinct.size,
    });
  });
  return byName(level === 0 ? all : mostFrequent(all, NESTED_ATTRIBUTES_MAX));
}

/** The attributes that were met most often, at most this many; the name decides between equals. */
export function mostFrequent(
  attributes: readonly AttributeStatistics[],
  max: number,
): readonly AttributeStatistics[] {
  if (attributes.length <= max) return attributes;
  const ranked = attributes.map((attribute) => ({ attribute, seen: timesSeen(attribute) }));
  ranked.sort((a, b) => b.seen - a.seen || compareNames(a.attribute.name, b.attribute.name));
  return ranked.slice(0, max).map(({ attribute }) => attribute);
}

/** The attributes in the order in which they are stored. */
export function byName(attributes: readonly AttributeStatistics[]): readonly AttributeStatistics[] {
  return Object.freeze([...attributes].sort((a, b) => compareNames(a.name, b.name)));
}

function timesSeen(attribute: AttributeStatistics): number {
  return attribute.types.reduce((sum, { count }) => sum + count, 0);
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
