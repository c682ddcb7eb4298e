import type { BinaryOperator, Position } from '../ast.ts';
import { BYTE_COLLATIONS } from '../collations.ts';
import { BINDING, infixBinding, type InfixOperator } from '../precedence.ts';
import { tokenAt, upperAt, type Cursor } from './cursor.ts';
import { unexpected, unsupported } from './refusals.ts';

/** An operator after an operand, with the words it consists of. */
export interface Operator {
  readonly name: InfixOperator | 'IS' | '::' | 'COLLATE';
  readonly negated: boolean;
  readonly binding: number;
  readonly pos: Position;
  /** The index after its words. */
  readonly next: number;
}

const SYMBOLS: ReadonlyMap<string, BinaryOperator | '::'> = new Map([
  ...(['+', '-', '*', '/', '//', '%', '||', '&', '|', '^', '<<', '>>'] as const).map(
    (op) => [op, op] as const,
  ),
  ...(['~', '!~', '~*', '!~*', '^@', '=', '<>', '<', '<=', '>', '>='] as const).map(
    (op) => [op, op] as const,
  ),
  ...(['->', '->>', '#>', '#>>', '@>', '<@', '&&'] as const).map((op) => [op, op] as const),
  ['!=', '<>'] as const,
  ['::', '::'] as const,
]);

/** LIKE and ILIKE as PostgreSQL's catalogs, and what reads them, spell them. */
const LIKE_SYMBOLS: ReadonlyMap<string, { readonly name: 'LIKE' | 'ILIKE'; readonly negated: boolean }> =
  new Map([
    ['~~', { name: 'LIKE', negated: false }],
    ['!~~', { name: 'LIKE', negated: true }],
    ['~~*', { name: 'ILIKE', negated: false }],
    ['!~~*', { name: 'ILIKE', negated: true }],
  ]);

/** Operators of other systems, by what to say about them. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['**', 'write POWER(a, b)'],
  ['COLLATE', 'text sorts by its UTF-8 bytes, as COLLATE "C" says; write LOWER(x) to ignore case'],
  ['AT', "write AT TIME ZONE 'Europe/Paris'"],
  ['GLOB', 'write LIKE'],
  ['OVERLAPS', 'write a.start < b.end AND b.start < a.end'],
  ['REGEXP', 'write REGEXP_MATCHES(text, pattern)'],
  ['RLIKE', 'write REGEXP_MATCHES(text, pattern)'],
  ['ISNULL', 'write IS NULL'],
  ['NOTNULL', 'write IS NOT NULL'],
]);
const PATTERN_WORDS: ReadonlySet<string> = new Set(['REGEXP', 'RLIKE']);
const WORDS: ReadonlySet<string> = new Set([
  ...['AND', 'OR', 'NOT', 'IS', 'IN', 'LIKE', 'ILIKE', 'BETWEEN', 'SIMILAR', 'ESCAPE', '=='],
  ...FOREIGN.keys(),
]);

/**
 * The operator that is next, if one is; it is not gone past.
 * @throws SqlSyntaxError at operators that exist elsewhere only, and at NOT without the operator it negates.
 */
export function nextOperator(cursor: Cursor): Operator | undefined {
  const { at, lastOperator } = cursor;
  if (lastOperator.index !== at) {
    lastOperator.operator = operatorAt(cursor, at);
    lastOperator.index = at;
  }
  return lastOperator.operator;
}

function operatorAt(cursor: Cursor, index: number): Operator | undefined {
  const { upper, position: pos } = tokenAt(cursor, index);
  const symbol = SYMBOLS.get(upper);
  if (symbol !== undefined) {
    const binding = symbol === '::' ? BINDING.SUFFIX : infixBinding(symbol);
    return { name: symbol, negated: false, binding, pos, next: index + 1 };
  }
  const like = LIKE_SYMBOLS.get(upper);
  if (like !== undefined) return { ...like, binding: infixBinding(like.name), pos, next: index + 1 };
  if (tokenAt(cursor, index).text === '?') return existsOperator(cursor, index);
  if (upper === 'OPERATOR' && upperAt(cursor, index + 1) === '(') return namedOperator(cursor, index);
  if (!WORDS.has(upper)) return undefined;
  const negated = upper === 'NOT';
  const first = negated ? index + 1 : index;
  const infix = (name: InfixOperator, next = first + 1): Operator => ({
    ...{ name, negated, binding: infixBinding(name), pos, next },
  });
  const word = upperAt(cursor, first);
  switch (word) {
    case 'LIKE':
    case 'ILIKE':
    case 'IN':
      return infix(word);
    case 'BETWEEN':
      if (upperAt(cursor, first + 1) === 'SYMMETRIC')
        throw unsupported(cursor, first + 1, 'BETWEEN SYMMETRIC', 'give the lower bound first');
      return infix(word);
    case 'SIMILAR':
      if (upperAt(cursor, first + 1) !== 'TO') throw unexpected(cursor, first + 1, ['TO']);
      return infix('SIMILAR TO', first + 2);
    case 'AT':
      if (!negated && upperAt(cursor, first + 1) === 'TIME' && upperAt(cursor, first + 2) === 'ZONE')
        return infix('AT TIME ZONE', first + 3);
      refuseForeign(cursor, index, word, first + 1);
      break;
    case 'COLLATE': {
      const end = endOfCollation(cursor, first + 1);
      if (end !== null && !negated) return { name: word, negated, binding: BINDING.SUFFIX, pos, next: end };
      refuseForeign(cursor, index, word, first + 1);
      break;
    }
    case 'IS':
      return negated ? undefined : isOperator(cursor, index);
    case '==':
      throw unexpected(cursor, index, [], "comparison is written '='");
    case 'AND':
    case 'OR':
    case 'ESCAPE':
      if (!negated) return infix(word);
      break;
    default:
      refuseForeign(cursor, index, word, first + 1);
  }
  if (negated) throw unexpected(cursor, first, ['IN', 'LIKE', 'BETWEEN']);
  return undefined;
}

/** A question mark after an operand is PostgreSQL's operator, alone or with what touches it: `?`, `?|`, `?&`. */
function existsOperator(cursor: Cursor, index: number): Operator {
  const { upper, spaceBefore } = tokenAt(cursor, index + 1);
  const isLonger = !spaceBefore && (upper === '|' || upper === '&');
  const name = isLonger ? (`?${upper}` as const) : '?';
  const { position: pos } = tokenAt(cursor, index);
  return { name, negated: false, binding: infixBinding(name), pos, next: index + (isLonger ? 2 : 1) };
}

/** `OPERATOR(pg_catalog.=)`, as tools write it: whatever the operator, it binds as those that are no comparisons do. */
function namedOperator(cursor: Cursor, index: number): Operator {
  const isQualified = upperAt(cursor, index + 2) === 'PG_CATALOG' && upperAt(cursor, index + 3) === '.';
  const at = index + (isQualified ? 4 : 2);
  const { type } = tokenAt(cursor, at);
  const operator = type === 'operator' || type === 'parameter' ? operatorAt(cursor, at) : undefined;
  if (
    operator === undefined ||
    operator.name === '::' ||
    operator.name === 'COLLATE' ||
    upperAt(cursor, operator.next) !== ')'
  )
    throw unexpected(cursor, at, ['an operator such as pg_catalog.='], 'write the operator itself');
  const { position: pos } = tokenAt(cursor, index);
  return { ...operator, binding: BINDING.OTHER, pos, next: operator.next + 1 };
}

/** The index behind the name of an order by bytes, as `"C"` and `pg_catalog."default"`; null where another is named. */
function endOfCollation(cursor: Cursor, index: number): number | null {
  const isQualified = upperAt(cursor, index) === 'PG_CATALOG' && upperAt(cursor, index + 1) === '.';
  const at = isQualified ? index + 2 : index;
  const { type, value } = tokenAt(cursor, at);
  const isName = type === 'name' || type === 'word';
  return isName && BYTE_COLLATIONS.has(value.toUpperCase()) ? at + 1 : null;
}

/** IS DISTINCT FROM stands between operands, the other forms of IS after one. */
function isOperator(cursor: Cursor, index: number): Operator {
  const { position: pos } = tokenAt(cursor, index);
  const not = upperAt(cursor, index + 1) === 'NOT';
  const at = index + (not ? 2 : 1);
  const isDistinct = upperAt(cursor, at) === 'DISTINCT' && upperAt(cursor, at + 1) === 'FROM';
  const name = !isDistinct ? 'IS' : not ? 'IS NOT DISTINCT FROM' : 'IS DISTINCT FROM';
  return { name, negated: not, binding: BINDING.IS, pos, next: isDistinct ? at + 2 : at };
}

function refuseForeign(cursor: Cursor, index: number, word: string, after: number): void {
  const advice = FOREIGN.get(word);
  if (advice === undefined) return;
  // These are names too, as in `SELECT a regexp FROM t`.
  const isPattern = ['string', 'name', 'parameter'].includes(tokenAt(cursor, after).type);
  if (PATTERN_WORDS.has(word) && !isPattern) return;
  throw unsupported(cursor, index, `the operator ${word}`, advice);
}
