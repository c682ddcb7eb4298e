/**
 * What statements that differ in their values only have in common, so that DuckDB need not confirm each of them anew.
 *
 * Only values are taken out whose characters cannot matter to any parser: plain strings and short whole numbers that
 * are compared with something. Each parser comes to them in the same state (the text before is the same), leaves them
 * in the same state, and makes a constant of them. Whatever else a statement holds stays part of its shape.
 */
import { tokenize } from './lexer/lexer.ts';
import type { Token } from './lexer/token.ts';

/** A statement's shape and the values that were taken out of it. */
export interface StatementShape {
  /** Equal for statements of one shape. */
  readonly key: string;
  /** The statement with other values in these places, no two of them alike. */
  readonly example: string;
  /** As they are written, in their order. */
  readonly values: readonly string[];
}

/** More values than this are seldom those of the next statement, too. */
const VALUES_MAX = 50;

const PLAIN_STRING = /^'(?:[^'\\\p{C}\p{Z}]| )*'$/u;
/** DuckDB takes these for INTEGER, all of them. */
const PLAIN_NUMBER = /^[1-9]\d{0,8}$/;
const COMPARISONS = new Set(['=', '<>', '!=', '<', '<=', '>', '>=', 'BETWEEN', 'AND']);
/** After these a value is over; a cast, a collation or a subscript would still belong to it. */
const AFTER = new Set([
  ')',
  ',',
  ';',
  'AND',
  'OR',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  'UNION',
]);

const exampleString = (place: number): string => `'value §${place}§'`;
const exampleNumber = (place: number): string => String(987_650_000 + place);
const EXAMPLE_VALUE = /'value §(\d+)§'|98765(\d{4})/g;
const EXAMPLE_PART = /value §|98765/;

/** True for the values of `IN (…)`, which follow its bracket or each other. */
function isListed(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at > 0; at -= 2) {
    const { upper } = tokens[at] ?? { upper: '' };
    if (upper === '(') return tokens[at - 1]?.upper === 'IN';
    if (upper !== ',' || !['string', 'number'].includes(tokens[at - 1]?.type ?? '')) return false;
  }
  return false;
}

function isPlainValue(sql: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  if (token === undefined || before === undefined || after === undefined) return false;
  const written = sql.slice(token.position.offset, token.end);
  const isPlain =
    (token.type === 'string' && PLAIN_STRING.test(written)) ||
    (token.type === 'number' && PLAIN_NUMBER.test(written));
  if (!isPlain) return false;
  const isOver = after.type === 'end' || AFTER.has(after.upper);
  // `5OR` is for each parser to read in its own way.
  const isApart = after.spaceBefore || after.type !== 'word';
  return isOver && isApart && (COMPARISONS.has(before.upper) || isListed(tokens, index));
}

/**
 * The shape of a statement; null where there is nothing to take out.
 * @throws SqlSyntaxError as the lexer does
 */
export function shapeOf(sql: string): StatementShape | null {
  if (sql.includes('\0') || EXAMPLE_PART.test(sql)) return null;
  const tokens = tokenize(sql);
  const pieces: string[] = [];
  const values: string[] = [];
  let example = '';
  let at = 0;
  for (const [index, { type, position, end }] of tokens.entries()) {
    if (!isPlainValue(sql, tokens, index)) continue;
    const piece = sql.slice(at, position.offset);
    pieces.push(piece, type);
    example += piece + (type === 'string' ? exampleString(values.length) : exampleNumber(values.length));
    values.push(sql.slice(position.offset, end));
    if (values.length > VALUES_MAX) return null;
    at = end;
  }
  if (values.length === 0) return null;
  const rest = sql.slice(at);
  return { key: [...pieces, rest].join('\0'), example: example + rest, values };
}

/** The example's printed text with the values in their places: what a statement of its shape is printed as. */
export function withValues(printedExample: string, values: readonly string[]): string {
  return printedExample.replaceAll(
    EXAMPLE_VALUE,
    (_, string?: string, number?: string) => values[Number(string ?? number)] ?? '',
  );
}
