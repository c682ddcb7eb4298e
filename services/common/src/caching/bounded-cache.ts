/** A map of at most `size` entries; the least recently used goes first. */
export interface BoundedCache<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/**
 * How heavy all entries may be together, in any unit. For caches in which a few entries can be as large as thousands
 * of others.
 */
interface Weighing<Value> {
  readonly weightMax: number;
  readonly weightOf: (key: string, value: Value) => number;
}

/** A `BoundedCache` on the insertion order of a Map. An entry heavier than the whole cache may be is not kept. */
export function boundedCache<Value>(sizeMax: number, weighing?: Weighing<Value>): BoundedCache<Value> {
  const { weightMax, weightOf } = weighing ?? { weightMax: Infinity, weightOf: () => 0 };
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  let weight = 0;
  /** Whose entry is the last already: a cache is often asked for one key again and again. */
  let newest: string | null = null;
  const remove = (key: string): void => {
    weight -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (key === newest) return entry.value;
      entries.delete(key);
      entries.set(key, entry);
      newest = key;
      return entry.value;
    },
    set(key, value) {
      remove(key);
      const entry = { value, weight: weightOf(key, value) };
      if (entry.weight > weightMax) return;
      entries.set(key, entry);
      newest = key;
      weight += entry.weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= sizeMax && weight <= weightMax) break;
        remove(oldest);
      }
    },
    delete: remove,
    get size() {
      return entries.size;
    },
  };
}
