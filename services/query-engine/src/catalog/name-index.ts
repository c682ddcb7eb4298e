/** Matches names as SQL names match: exactly first, then, unless quoted, whatever their case. */

/** A list of names, prepared for matching. Positions are those in `names`. */
export interface NameIndex {
  readonly names: readonly string[];
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly folded: ReadonlyMap<string, readonly number[]>;
}

const NONE: readonly number[] = Object.freeze([]);

export function foldCase(name: string): string {
  return name.toLowerCase();
}

function positions(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const map = new Map<string, number[]>();
  names.forEach((name, position) => {
    const list = map.get(name);
    if (list === undefined) map.set(name, [position]);
    else list.push(position);
  });
  return map;
}

export function nameIndex(names: readonly string[]): NameIndex {
  return Object.freeze({ names, exact: positions(names), folded: positions(names.map(foldCase)) });
}

/** How closely names have to match. */
export type Match = 'exact' | 'folded';

/** In this order; a quoted name matches exactly or not at all. */
export function matchesOf(identifier: { readonly quoted: boolean }): readonly Match[] {
  return identifier.quoted ? ['exact'] : ['exact', 'folded'];
}

/** Positions of the names that match; often one, several where names differ in case only or repeat. */
export function positionsOf(index: NameIndex, name: string, match: Match): readonly number[] {
  return (match === 'exact' ? index.exact.get(name) : index.folded.get(foldCase(name))) ?? NONE;
}
