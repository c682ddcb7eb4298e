/**
 * Where the values of a statement's parameters stand in its plan, found by comparing two plans of it: whatever differs must
 * be such a value.
 */

/** Where a value stands; null: nowhere in what this is about, which is then the same for all values. */
type Place =
  | null
  | { readonly kind: 'value'; readonly parameter: number }
  | { readonly kind: 'array'; readonly items: readonly Place[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, place: Place])[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Place, value: Place])[] };

/** Something frozen, and the places in it that hold values of parameters. */
export interface ValuePlaces<T> {
  readonly whole: T;
  readonly place: Place;
}

/** Two things that differ in more than the values. */
class Different extends Error {}

const PLAIN = Object.prototype;

function placeOfText(one: string, other: string, ones: readonly string[], others: readonly string[]): Place {
  const parameter = ones.findIndex((value, i) => value === one && others[i] === other);
  if (parameter === -1) throw new Different();
  return { kind: 'value', parameter };
}

/**
 * The places of values in two plans of one statement, each made with values of its own: `ones` and `others`, in the same
 * order. Those that are the same in both are in no place. Null where the plans differ in anything else.
 */
export function valuePlaces<T>(
  one: T,
  other: T,
  ones: readonly string[],
  others: readonly string[],
): ValuePlaces<T> | null {
  const known = new Map<object, { readonly other: object; readonly place: Place }>();

  const placeOf = (a: unknown, b: unknown): Place => {
    if (Object.is(a, b)) return null;
    if (typeof a === 'string' && typeof b === 'string') return placeOfText(a, b, ones, others);
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) throw new Different();
    // What is in several places stays one thing: plans know their parts by identity.
    const before = known.get(a);
    if (before !== undefined) {
      if (before.other !== b) throw new Different();
      return before.place;
    }
    const place = placeInObject(a, b);
    known.set(a, { other: b, place });
    return place;
  };

  const placeInObject = (a: object, b: object): Place => {
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) throw new Different();
      const items = a.map((item, i) => placeOf(item, b[i]));
      return items.every((item) => item === null) ? null : { kind: 'array', items };
    }
    if (a instanceof Map && b instanceof Map) {
      if (a.size !== b.size) throw new Different();
      const theirs = [...b];
      const entries = [...a].map(
        ([key, value], i) => [placeOf(key, theirs[i]?.[0]), placeOf(value, theirs[i]?.[1])] as const,
      );
      return entries.every(([key, value]) => key === null && value === null)
        ? null
        : { kind: 'map', entries };
    }
    if (Object.getPrototypeOf(a) !== PLAIN || Object.getPrototypeOf(b) !== PLAIN) throw new Different();
    const [names, theirs] = [Object.entries(a), Object.entries(b)];
    if (names.length !== theirs.length) throw new Different();
    const members = names.map(([name, value], i) => {
      if (theirs[i]?.[0] !== name) throw new Different();
      return [name, placeOf(value, theirs[i][1])] as const;
    });
    const held = members.filter(([, place]) => place !== null);
    return held.length === 0 ? null : { kind: 'object', members: held };
  };

  try {
    return { whole: one, place: placeOf(one, other) };
  } catch (error) {
    if (error instanceof Different) return null;
    throw error;
  }
}

/** The same with other values in these places. What holds none is shared. */
export function withValues<T>({ whole, place }: ValuePlaces<T>, values: readonly string[]): T {
  const made = new Map<object, object>();

  const filled = (part: unknown, at: Place): unknown => {
    if (at === null) return part;
    if (at.kind === 'value') return values[at.parameter];
    const before = made.get(part as object);
    if (before !== undefined) return before;
    const now = filledObject(part as object, at);
    made.set(part as object, now);
    return now;
  };

  const filledObject = (part: object, at: Exclude<Place, null | { kind: 'value' }>): object => {
    if (at.kind === 'array')
      return (part as readonly unknown[]).map((item, i) => filled(item, at.items[i] ?? null));
    if (at.kind === 'map') {
      const entries = [...(part as ReadonlyMap<unknown, unknown>)];
      return new Map(
        entries.map(([key, value], i) => {
          const [keyAt = null, valueAt = null] = at.entries[i] ?? [];
          return [filled(key, keyAt), filled(value, valueAt)];
        }),
      );
    }
    const now: Record<string, unknown> = { ...part };
    for (const [name, memberAt] of at.members) now[name] = filled(now[name], memberAt);
    return now;
  };

  return filled(whole, place) as T;
}
