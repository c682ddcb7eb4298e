/** Rows as COPY writes them. */
import type { CopyFormat } from '../statements/statement.ts';
import type { Row } from './open-result.ts';

const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '\\': '\\\\',
}); // oxfmt-ignore

const escaped = (text: string, delimiter: string): string =>
  text
    .replace(/[\b\f\n\r\t\v\\]/g, (char) => ESCAPES[char] ?? char)
    .replaceAll(delimiter, (found) => (ESCAPES[found] === undefined ? `\\${found}` : found));

function csvField(text: string, { delimiter, quote, nullText }: CopyFormat, isAlone: boolean): string {
  const needsQuotes =
    text === nullText ||
    text.includes(delimiter) ||
    text.includes(quote) ||
    /[\r\n]/.test(text) ||
    (isAlone && text === '\\.');
  return needsQuotes ? quote + text.replaceAll(quote, () => quote + quote) + quote : text;
}

/** Writes a row, its line end included. */
export function copyLine(format: CopyFormat): (row: Row) => string {
  const field = (cell: Row[number], isAlone: boolean): string => {
    if (cell === null) return format.nullText;
    const text = typeof cell === 'string' ? cell : cell.toString('utf8');
    return format.csv ? csvField(text, format, isAlone) : escaped(text, format.delimiter);
  };
  return (row) => `${row.map((cell) => field(cell, row.length === 1)).join(format.delimiter)}\n`;
}

/** The line of names. */
export const copyHeader = (names: readonly string[], format: CopyFormat): string => copyLine(format)(names);
