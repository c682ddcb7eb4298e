/** How cells become rows, and rows a text: a page's JSON, or the whole result in a format that people use. */

/** A row as an array, or as an object by column name. */
export type RowFormat = 'array' | 'object';

/** `json`: rows joined by commas, without brackets. The others are whole documents, and end with the last row. */
export type ResultFormat = 'json' | 'ndjson' | 'csv';

/** Writes rows whose cells are JSON texts. */
export interface RowWriter {
  /** What comes before the first row. */
  readonly head: string;
  /** What comes between two rows. */
  readonly between: string;
  readonly row: (cells: readonly string[]) => string;
}

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
const CSV_LINE_END = '\r\n';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** An empty text is quoted: it is not NULL, which is nothing at all. */
const csvText = (text: string): string => (text === '' || QUOTED.test(text) ? quoted(text) : text);

/** A cell's JSON text as a field: strings as they are, documents as JSON text. */
function csvField(cell: string): string {
  if (cell === 'null') return '';
  if (!cell.startsWith('"')) return csvText(cell);
  return csvText(cell.includes('\\') ? (JSON.parse(cell) as string) : cell.slice(1, -1));
}

const csvLine = (fields: readonly string[]): string => `${fields.join(',')}${CSV_LINE_END}`;

export function rowWriter(format: ResultFormat, rowFormat: RowFormat, names: readonly string[]): RowWriter {
  const join = rowJoiner(rowFormat, names);
  switch (format) {
    case 'json':
      return { head: '', between: ',', row: join };
    case 'ndjson':
      return { head: '', between: '', row: (cells) => `${join(cells)}\n` };
    case 'csv':
      return { head: csvLine(names.map(csvText)), between: '', row: (cells) => csvLine(cells.map(csvField)) };
  }
}
