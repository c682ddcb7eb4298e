import type { Position } from './ast.ts';

/** At most this many characters of a line are quoted in an error, around the place. */
const EXCERPT_CHARS_MAX = 120;

/** Offsets at which each line of the text starts. Lines end at LF, CR LF or CR. */
export function lineStarts(sql: string): readonly number[] {
  const starts = [0];
  for (const lineBreak of sql.matchAll(/\r\n|\n|\r/g)) starts.push(lineBreak.index + lineBreak[0].length);
  return starts;
}

/** The position of an offset (UTF-16 code units), found by bisecting the line starts. */
export function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Object.freeze({ offset, line: low + 1, column: offset - (starts[low] ?? 0) + 1 });
}

/**
 * The source line of a position and, below it, a caret under the place. Tabs are kept in the caret's line, so it
 * lines up whatever their width; a long line is cut around the place.
 */
export function excerpt(sql: string, position: Position): string {
  const start = position.offset - (position.column - 1);
  const rest = sql.slice(start);
  const lineBreak = rest.search(/[\r\n]/);
  const line = lineBreak < 0 ? rest : rest.slice(0, lineBreak);
  const place = Math.min(position.column - 1, line.length);
  const from = line.length <= EXCERPT_CHARS_MAX ? 0 : Math.max(0, place - EXCERPT_CHARS_MAX / 2);
  const shown = line.slice(from, from + EXCERPT_CHARS_MAX);
  const before = from > 0 ? '…' : '';
  const after = from + EXCERPT_CHARS_MAX < line.length ? '…' : '';
  // A pair of surrogates is one character on the screen.
  const padding = (before + line.slice(from, place))
    .replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ' ')
    .replace(/[^\t]/g, ' ');
  return `${before}${shown}${after}\n${padding}^`;
}
