/** How cells become a row: an array, or an object by column name. */

export type RowFormat = 'array' | 'object';

/** The names as keys of one object: the second of two equal names gets `_2`, the third `_3`, and so on. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}

/** Joins the JSON texts of a row's cells. */
export function rowJoiner(format: RowFormat, names: readonly string[]): (cells: readonly string[]) => string {
  if (format === 'array') return (cells) => `[${cells.join(',')}]`;
  const keys = uniqueNames(names).map((name) => `${JSON.stringify(name)}:`);
  return (cells) => `{${cells.map((cell, i) => `${keys[i]}${cell}`).join(',')}}`;
}
