/** Whether `text` fits a pattern in which `*` stands for any characters and `?` for one. */
export function matchesWildcard(pattern: string, text: string, ignoreCase = false): boolean {
  if (pattern === '*') return true;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, ignoreCase ? 'is' : 's').test(text);
}
