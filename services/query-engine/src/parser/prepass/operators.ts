import type { BinaryOperator } from '../ast.ts';
import type { ComparisonOperator, InfixOperator } from '../marks.ts';
import { holdsQuery, inside } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, unsupported, upperAt } from './statement.ts';
import { readType } from './types.ts';
import { writeExpression, writeExpressionList } from './expressions.ts';
import { writeQueryArgument } from './queries.ts';

const SYMBOLS: Readonly<Record<string, BinaryOperator>> = {
  ...{ '+': '+', '-': '-', '*': '*', '/': '/', '//': '//', '%': '%', '||': '||' },
  ...{ '&': '&', '|': '|', '^': '^', '<<': '<<', '>>': '>>' },
  ...{ '~': '~', '!~': '!~', '~*': '~*', '!~*': '!~*' },
  ...{ '=': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
};
const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const PREFIXES = new Set(['-', '+', '~', 'NOT']);

/** Operators of other systems, by what to say about them. */
const FOREIGN: Readonly<Record<string, string | undefined>> = {
  '**': 'write POWER(a, b)',
  '->': 'write a path such as address.city or tags[0]',
  '->>': 'write a path such as address.city or tags[0]',
  '^@': "write LIKE 'x%'",
  COLLATE: 'text sorts by its UTF-8 bytes; write LOWER(x) to ignore case',
  AT: 'all times are in UTC; add or subtract an INTERVAL',
  GLOB: 'write LIKE',
  OVERLAPS: 'write a.start < b.end AND b.start < a.end',
  REGEXP: 'write REGEXP_MATCHES(text, pattern)',
  RLIKE: 'write REGEXP_MATCHES(text, pattern)',
  ISNULL: 'write IS NULL',
  NOTNULL: 'write IS NOT NULL',
};
const PATTERN_WORDS: ReadonlySet<string> = new Set(['REGEXP', 'RLIKE']);
const FOREIGN_NAMES: Readonly<Record<string, string>> = { AT: 'AT TIME ZONE' };

/** Writes a sign, `~` or NOT before an operand, if one stands here, and returns the index after it. */
export function writePrefix(scope: Scope, index: number): number | undefined {
  const { upper, position: pos } = tokenAt(scope.statement, index);
  if (!PREFIXES.has(upper)) return undefined;
  scope.draft.operator({ kind: 'Prefix', operator: upper as '-' | '+' | '~' | 'NOT', pos }, index);
  return index + 1;
}

/** Writes the operator that stands after an operand, with what it takes that is no operand, if one stands here. */
export function writeOperator(scope: Scope, index: number, end: number): number | undefined {
  const { statement, draft } = scope;
  const { upper, position: pos } = tokenAt(statement, index);
  const infix = (operator: InfixOperator, negated: boolean, next: number): number => {
    draft.operator({ kind: 'Infix', operator, negated, pos }, index);
    return next;
  };
  const symbol = Object.hasOwn(SYMBOLS, upper) ? SYMBOLS[upper] : undefined;
  if (symbol !== undefined) {
    return COMPARISONS.has(symbol)
      ? writeComparison(scope, index, symbol as ComparisonOperator)
      : infix(symbol, false, index + 1);
  }
  const negated = upper === 'NOT';
  const word = negated ? upperAt(statement, index + 1) : upper;
  const next = index + (negated ? 2 : 1);
  switch (word) {
    case '::': {
      const { type, next: afterType } = readType(statement, { from: next, to: end });
      draft.operand({ kind: 'CastSuffix', type, pos }, index);
      return afterType;
    }
    case 'AND':
    case 'OR':
    case 'ESCAPE':
      if (negated) throw unexpected(statement, index + 1, ['IN', 'LIKE', 'BETWEEN']);
      return infix(word, false, next);
    case 'BETWEEN':
      if (upperAt(statement, next) === 'SYMMETRIC')
        throw unsupported(statement, next, 'BETWEEN SYMMETRIC', 'give the lower bound first');
      return infix(word, negated, next);
    case 'LIKE':
    case 'ILIKE':
      return infix(word, negated, next);
    case 'SIMILAR':
      if (upperAt(statement, next) !== 'TO') throw unexpected(statement, next, ['TO']);
      return infix('SIMILAR TO', negated, next + 1);
    case 'IN':
      infix('IN', negated, next);
      return writeInList(scope, next);
    case 'IS':
      return negated ? undefined : writeIs(scope, index);
    case '==':
      throw unexpected(statement, index, [], "comparison is written '='");
    default:
      // These are names too, as in `SELECT a regexp FROM t`.
      if (!Object.hasOwn(FOREIGN, word) || (PATTERN_WORDS.has(word) && !startsPattern(scope, next))) {
        if (negated) throw unexpected(statement, index + 1, ['IN', 'LIKE', 'BETWEEN']);
        return undefined;
      }
      throw unsupported(statement, index, `the operator ${FOREIGN_NAMES[word] ?? word}`, FOREIGN[word]);
  }
}

function startsPattern({ statement }: Scope, index: number): boolean {
  return ['string', 'name', 'parameter'].includes(tokenAt(statement, index).type);
}

function writeComparison(scope: Scope, index: number, operator: ComparisonOperator): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  const quantifier = upperAt(statement, index + 1);
  if (!['ANY', 'SOME', 'ALL'].includes(quantifier)) {
    draft.operator({ kind: 'Infix', operator, negated: false, pos }, index);
    return index + 1;
  }
  if (upperAt(statement, index + 2) !== '(') throw unexpected(statement, index + 2, ["'('"]);
  const mark = `${operator} ${quantifier === 'ALL' ? 'ALL' : 'ANY'}` as const;
  draft.operator({ kind: 'Infix', operator: mark, negated: false, pos }, index);
  const span = inside(statement, index + 2);
  if (holdsQuery(statement, index + 2)) {
    draft.call({ kind: 'Subquery', pos }, index + 2, () => writeQueryArgument(scope, index + 2));
  } else {
    draft.call({ kind: 'List', pos }, index + 2, () => writeExpression(scope, span));
  }
  return span.to + 1;
}

function writeInList(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  if (upperAt(statement, index) !== '(') throw unexpected(statement, index, ["'('"]);
  const span = inside(statement, index);
  if (holdsQuery(statement, index)) {
    draft.call({ kind: 'Subquery', pos }, index, () => writeQueryArgument(scope, index));
  } else {
    draft.call({ kind: 'List', pos }, index, () => writeExpressionList(scope, span));
  }
  return span.to + 1;
}

function writeIs(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  const negated = upperAt(statement, index + 1) === 'NOT';
  const at = index + (negated ? 2 : 1);
  const test = upperAt(statement, at);
  if (test === 'NULL' || test === 'TRUE' || test === 'FALSE' || test === 'UNKNOWN') {
    draft.operand({ kind: 'Is', test, negated, pos }, index);
    return at + 1;
  }
  if (test === 'DISTINCT' && upperAt(statement, at + 1) === 'FROM') {
    const operator = negated ? 'IS NOT DISTINCT FROM' : 'IS DISTINCT FROM';
    draft.operator({ kind: 'Infix', operator, negated: false, pos }, index);
    return at + 2;
  }
  throw unexpected(statement, at, ['NULL', 'TRUE', 'FALSE', 'UNKNOWN', 'DISTINCT FROM']);
}
