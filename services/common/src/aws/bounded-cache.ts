/** A map of at most `size` entries; the least recently used goes first. */
export interface BoundedCache<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/** A `BoundedCache` on the insertion order of a Map. */
export function boundedCache<Value>(sizeMax: number): BoundedCache<Value> {
  const entries = new Map<string, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      for (const oldest of entries.keys()) {
        if (entries.size <= sizeMax) break;
        entries.delete(oldest);
      }
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
