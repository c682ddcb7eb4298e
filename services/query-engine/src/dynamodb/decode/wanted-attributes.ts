import { OTHERS } from '../../catalog/others.ts';
import type { DocumentStep } from '../../logical/expression.ts';

/** What is to be done with one top-level attribute. */
export interface WantedAttribute {
  /** Positions of the columns that are the attribute itself. */
  readonly whole: readonly number[];
  /** Columns below it, by the path from it. */
  readonly nested: readonly { readonly column: number; readonly path: readonly DocumentStep[] }[];
  /** Types met, as bits, when the attribute is one that the catalog does not know. */
  readonly discovery: { typesSeen: number } | null;
  /** Its name, where it is part of the document of all others; else null. */
  readonly other: string | null;
}

/** Names that are kept of those nobody knew: more than a result can have columns, so that it is refused, not cut. */
const unknownNamesMax = 5001;

const UNWANTED: WantedAttribute = Object.freeze({
  whole: [],
  nested: [],
  discovery: null,
  other: null,
});

/** Attributes by name, for one read; knows what to do with those nobody asked for. */
export interface WantedAttributes {
  of(name: string): WantedAttribute | undefined;
  /** Attributes met that were not known, with their types as bits of `1 << TypeCode`. */
  discovered(): ReadonlyMap<string, number>;
  /** The column of the document of all others; null where none is wanted. */
  readonly others: number | null;
  /** How many names were met that are neither known nor wanted. */
  unknownNames(): number;
}

/** `known` null: unknown attributes are of no interest. */
export function wantedAttributes(
  columns: readonly { readonly path: readonly DocumentStep[] }[],
  known: readonly string[] | null,
): WantedAttributes {
  const attributes = new Map<string, WantedAttribute>();
  const wanted = new Map<string, { whole: number[]; nested: { column: number; path: DocumentStep[] }[] }>();
  for (const [column, { path }] of columns.entries()) {
    const [name, ...below] = path;
    const entry = wanted.get(String(name)) ?? { whole: [], nested: [] };
    if (below.length === 0) entry.whole.push(column);
    else entry.nested.push({ column, path: below });
    wanted.set(String(name), entry);
  }
  const others = wanted.get(OTHERS)?.whole[0] ?? null;
  wanted.delete(OTHERS);
  for (const name of known ?? []) attributes.set(name, UNWANTED);
  for (const [name, { whole, nested }] of wanted) {
    // A column may be asked for that no sample has seen: meeting it is a discovery too.
    const discovery = known === null || known.includes(name) ? null : { typesSeen: 0 };
    attributes.set(name, { whole, nested, discovery, other: null });
  }
  let unknownNames = 0;
  return {
    others,
    of(name) {
      const attribute = attributes.get(name);
      if (attribute !== undefined || known === null) return attribute;
      if (unknownNames >= unknownNamesMax) return undefined;
      const other = others === null ? null : name;
      const discovered = { whole: [], nested: [], discovery: { typesSeen: 0 }, other };
      attributes.set(name, discovered);
      unknownNames++;
      return discovered;
    },
    // No getter: V8 would make a hidden class of its own for each read, which only a collection of the whole heap takes.
    unknownNames: () => unknownNames,
    discovered: () =>
      new Map(
        [...attributes].flatMap(([name, { discovery }]) =>
          discovery === null || discovery.typesSeen === 0 ? [] : [[name, discovery.typesSeen]],
        ),
      ),
  };
}
