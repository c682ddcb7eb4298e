/** Below 0, 0 or above 0: texts by their UTF-8 bytes, as DynamoDB sorts string keys. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // UTF-16 units sort as UTF-8 bytes do, except that surrogates stand for what lies above all other units.
    if (x !== y) return (isSurrogate(x) ? x + 0x10000 : x) - (isSurrogate(y) ? y + 0x10000 : y);
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The least text above all that begin so, by code points (which UTF-8 sorts by); null where there is none. */
export function textAfter(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > 0x10ffff) continue;
    return points.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return null;
}
