/** An order that has nothing to do with what is ordered, and is the same each time. */

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a of the text's UTF-16 units, its bits mixed once more: keys that differ in their last digit end up far apart. */
function hash(text: string): number {
  let bits = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), FNV_PRIME);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** By a hash of each one's text; texts of one hash by themselves. */
export function inHashOrder<T>(list: readonly T[], textOf: (one: T) => string): readonly T[] {
  const hashed = list.map((one) => {
    const text = textOf(one);
    return { one, text, hash: hash(text) };
  });
  hashed.sort((a, b) => a.hash - b.hash || (a.text < b.text ? -1 : 1));
  return hashed.map(({ one }) => one);
}
