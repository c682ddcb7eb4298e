/**
 * Whether `text` fits a pattern in which `*` stands for any characters and `?` for one. Takes at most pattern × text
 * steps: as a regular expression, each further `*` of a policy would raise the power.
 */
export function matchesWildcard(pattern: string, text: string, ignoreCase = false): boolean {
  const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
  const given = ignoreCase ? text.toLowerCase() : text;
  let at = 0;
  let from = 0;
  /** The last `*` and what it stands for up to now: only the last one ever has to take more. */
  let star = -1;
  let starEnd = 0;
  while (at < given.length) {
    if (wanted[from] === '*') {
      star = from;
      starEnd = at;
      from += 1;
    } else if (from < wanted.length && (wanted[from] === '?' || wanted[from] === given[at])) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      from = star + 1;
      starEnd += 1;
      at = starEnd;
    } else {
      return false;
    }
  }
  while (wanted[from] === '*') from += 1;
  return from === wanted.length;
}
