/** The brackets of a regular expression that catch what they match, counted. */
export function countGroups(pattern: string): number {
  let count = 0;
  let isInSet = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') at++;
    else if (isInSet) isInSet = character !== ']';
    else if (character === '[') {
      isInSet = true;
      // A bracket that comes first in a set is one of its characters.
      if (pattern.charAt(at + 1) === '^') at++;
      if (pattern.charAt(at + 1) === ']') at++;
    } else if (character === '(' && !/^\((?:\?(?!P?<\w))/.test(pattern.slice(at, at + 5))) count++;
  }
  return count;
}
