/**
 * The same function, whose answer for an object is worked out once and kept for as long as the object lives. For frozen
 * objects, of which nothing that it answers by changes, and for functions that never answer undefined.
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
