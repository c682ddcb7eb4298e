/** How cells become rows, and rows a text: a page's JSON, or the whole result in a format that people use. */

/** A row as an array, or as an object by column name. */
export type RowFormat = 'array' | 'object';

/** `json`: rows joined by commas, without brackets. The others are whole documents, and end with the last row. */
export type ResultFormat = 'json' | 'ndjson' | 'csv' | 'parquet';

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

/** RFC 4180, section 2: what a field is quoted for. */
const QUOTED = /[",\r\n]/;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** An empty text is quoted: it is not NULL, which is nothing at all. */
const csvText = (text: string): string => (text === '' || QUOTED.test(text) ? quoted(text) : text);

/** A cell's JSON text as a field: strings as they are, documents as JSON text. */
export function csvField(cell: string): string {
  if (cell === 'null') return '';
  if (!cell.startsWith('"')) return csvText(cell);
  return csvText(cell.includes('\\') ? (JSON.parse(cell) as string) : cell.slice(1, -1));
}

/** The line of names. */
export const csvHead = (names: readonly string[]): string => `${names.map(csvText).join(',')}\r\n`;
