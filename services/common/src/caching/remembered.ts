/**
 * The same function, but its answer for an object is found once and kept as long as the object lives. For frozen
 * objects, and for functions that never return undefined.
 */
export function remembered<Key extends object, Value extends NonNullable<unknown> | null>(
  find: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = find(key);
    known.set(key, value);
    return value;
  };
}
