/**
 * What statements that differ in their values only have in common, so that DuckDB need not confirm each of them anew.
 *
 * Only values are taken out whose characters cannot matter to any parser: plain strings and short whole numbers that
 * are compared with something. Each parser comes to them in the same state (the text before is the same), leaves them
 * in the same state, and makes a constant of them. Whatever else a statement holds stays part of its fingerprint.
 */
import type { AstExpression, AstQuery, Position } from './ast.ts';
import { tokenize } from './lexer/lexer.ts';
import type { Token } from './lexer/token.ts';
import { lineStarts, positionAt } from './source-text.ts';

/** A value that was taken out. */
interface TakenValue {
  /** As it is written. */
  readonly text: string;
  /** Where its stand-in begins in the example, and by how much it is longer than that. */
  readonly offset: number;
  readonly longer: number;
}

/** A statement's fingerprint and the values that were taken out of it, in their order. */
export interface Fingerprint {
  /** Equal for statements of one fingerprint. */
  readonly key: string;
  /** The statement with other values in these places, no two of them alike. */
  readonly example: string;
  readonly values: readonly TakenValue[];
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

/** The indexes of the values of `IN (…)`, which follow its bracket or each other. */
function listedValues(tokens: readonly Token[]): ReadonlySet<number> {
  const listed = new Set<number>();
  tokens.forEach(({ type }, index) => {
    const before = tokens[index - 1]?.upper;
    const isFirst = before === '(' && tokens[index - 2]?.upper === 'IN';
    const isValue = type === 'string' || type === 'number';
    if (isValue && (isFirst || (before === ',' && listed.has(index - 2)))) listed.add(index);
  });
  return listed;
}

function isPlainValue(
  sql: string,
  tokens: readonly Token[],
  index: number,
  listed: ReadonlySet<number>,
): boolean {
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
  return isOver && isApart && (COMPARISONS.has(before.upper) || listed.has(index));
}

/**
 * The fingerprint of a statement; null where there is nothing to take out.
 * @throws SqlSyntaxError as the lexer does
 */
export function fingerprintOf(sql: string): Fingerprint | null {
  if (sql.includes('\0') || EXAMPLE_PART.test(sql)) return null;
  const tokens = tokenize(sql);
  const listed = listedValues(tokens);
  const pieces: string[] = [];
  const values: TakenValue[] = [];
  let example = '';
  let at = 0;
  for (const [index, { type, position, end }] of tokens.entries()) {
    if (!isPlainValue(sql, tokens, index, listed)) continue;
    const piece = sql.slice(at, position.offset);
    pieces.push(piece, type);
    example += piece;
    const standIn = type === 'string' ? exampleString(values.length) : exampleNumber(values.length);
    const text = sql.slice(position.offset, end);
    values.push({ text, offset: example.length, longer: text.length - standIn.length });
    example += standIn;
    if (values.length > VALUES_MAX) return null;
    at = end;
  }
  if (values.length === 0) return null;
  const rest = sql.slice(at);
  return { key: [...pieces, rest].join('\0'), example: example + rest, values };
}

/** The example's printed text with the values in their places: what a statement of its fingerprint is printed as. */
export function printedWithValues(printedExample: string, { values }: Pick<Fingerprint, 'values'>): string {
  return printedExample.replaceAll(
    EXAMPLE_VALUE,
    (_, string?: string, number?: string) => values[Number(string ?? number)]?.text ?? '',
  );
}

/** The example's tree, or a part of it, with the values in their places: what a statement of its fingerprint is parsed to. */
export function treeWithValues<T>(exampleTree: T, sql: string, { values }: Fingerprint): T {
  const starts = lineStarts(sql);
  // Of a literal, the tree has what it stands for: a plain string's characters, a number's digits.
  const texts = new Map(
    values.map(({ text }, place) =>
      text.startsWith("'")
        ? [exampleString(place).slice(1, -1), text.slice(1, -1)]
        : [exampleNumber(place), text],
    ),
  );
  const moved = ({ offset }: Position): Position => {
    let by = 0;
    for (const value of values) if (value.offset < offset) by += value.longer;
    return positionAt(starts, offset + by);
  };
  const copied = (node: unknown): unknown => {
    // Columns without a name keep the text of their expression.
    if (typeof node === 'string') return texts.get(node) ?? printedWithValues(node, { values });
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return Object.freeze(node.map(copied));
    if (isPosition(node)) return moved(node);
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) copy[name] = copied(value);
    return Object.freeze(copy);
  };
  return copied(exampleTree) as T;
}

/** The example's tree with parameters for its values in these places, `$1` for the first. */
export function treeWithParameters(exampleTree: AstQuery, places: readonly number[]): AstQuery {
  const copied = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(copied);
    const place = placeOfLiteral(node as AstExpression);
    const index = place === null ? -1 : places.indexOf(place);
    if (index !== -1 && 'pos' in node) return { kind: 'Parameter', name: null, index, pos: node.pos };
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copied(value)]));
  };
  return copied(exampleTree) as AstQuery;
}

/** The place of the value that this literal of an example stands for; null for any other node. */
function placeOfLiteral(node: AstExpression): number | null {
  if (node.kind !== 'StringLiteral' && node.kind !== 'NumberLiteral') return null;
  const written = node.kind === 'StringLiteral' ? `'${node.value}'` : node.text;
  const [match] = written.matchAll(EXAMPLE_VALUE);
  return match?.[0] === written ? Number(match[1] ?? match[2]) : null;
}

function isPosition(node: object): node is Position {
  return 'offset' in node && 'line' in node && 'column' in node;
}
