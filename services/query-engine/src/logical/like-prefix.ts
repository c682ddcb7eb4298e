/** The fixed text that a LIKE pattern begins with, and the pattern from its first wildcard on. */
export function likePrefix(pattern: string, escape?: string): { prefix: string; rest: string } {
  let prefix = '';
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string;
    if (character === escape && i + 1 < pattern.length) prefix += pattern[++i] as string;
    else if (character === '%' || character === '_' || character === escape)
      return { prefix, rest: pattern.slice(i) };
    else prefix += character;
  }
  return { prefix, rest: '' };
}
