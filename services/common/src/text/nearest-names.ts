/** How many names an error suggests. */
const SUGGESTIONS_MAX = 3;

/** Longer names are compared by their first characters only, so that an error costs little. */
const COMPARED_CHARACTERS_MAX = 64;

/** Edits (insert, delete, change, swap of neighbors) that lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/**
 * The candidates that look most like `name`, whatever the case, nearest first, then by name; at most SUGGESTIONS_MAX,
 * often none. One that contains the name, or is contained in it, counts as near.
 *
 * @param editsMin how many edits are allowed in any case; a third of the name's characters may differ in any case
 */
export function nearestNames(
  name: string,
  candidates: readonly string[],
  editsMin: number = 1,
): readonly string[] {
  const wanted = name.toLowerCase().slice(0, COMPARED_CHARACTERS_MAX);
  const tolerance = Math.max(editsMin, Math.floor(wanted.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => {
      const compared = candidate.toLowerCase().slice(0, COMPARED_CHARACTERS_MAX);
      const contained = wanted.length >= 3 && (compared.includes(wanted) || wanted.includes(compared));
      const distance =
        Math.abs(compared.length - wanted.length) > tolerance ? Infinity : editDistance(wanted, compared);
      return { candidate, distance: distance > tolerance && contained ? tolerance : distance };
    })
    .filter(({ distance }) => distance <= tolerance)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ candidate }) => candidate);
}
