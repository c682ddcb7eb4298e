import { NEAREST_CANDIDATES_MAX, NEAREST_DISTANCE_MAX, NEAREST_NAMES_MAX } from '../limits.ts';

/**
 * The names most like the one that was asked for, whatever the case: at most a third of its characters differ (two
 * may in any case, NEAREST_DISTANCE_MAX at most). Best first, then by name.
 */
export function nearestNames(asked: string, names: readonly string[]): readonly string[] {
  const wanted = asked.toLowerCase();
  const distanceMax = Math.min(NEAREST_DISTANCE_MAX, Math.max(2, Math.floor(wanted.length / 3)));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= distanceMax)
    .slice(0, NEAREST_CANDIDATES_MAX)
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase(), distanceMax) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, NEAREST_NAMES_MAX)
    .map(({ name }) => name);
}

/** `Did you mean sales?`, or undefined where nothing is near. */
export function suggestion(asked: string, names: readonly string[]): string | undefined {
  const near = nearestNames(asked, names);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Levenshtein's distance, with one row of the table kept; given up as soon as it must be above the most allowed. */
function editDistance(a: string, b: string, distanceMax: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > distanceMax) return Infinity;
    row = next;
  }
  return row[b.length] ?? 0;
}
