import type { AstExpression, Position } from '../ast.ts';
import { nextUpper, take, type Cursor } from './cursor.ts';
import { plainCall } from './function-calls.ts';
import { readExpression, readExpressionsInBrackets, readQueryInParentheses } from './lists.ts';
import { holdsQuery } from './lookahead.ts';
import { nextOperator, type Operator } from './operators.ts';
import { refuse, require, requireCloser, unexpected, unsupported } from './refusals.ts';
import { readType } from './types.ts';

type Comparison = Extract<AstExpression, { kind: 'QuantifiedList' }>['operator'];

/** Makes the expression of an operator that has been gone past, with what follows it. */
export function applyOperator(cursor: Cursor, operand: AstExpression, operator: Operator): AstExpression {
  const { name, negated, binding } = operator;
  const { pos } = operand;
  const right = (): AstExpression => cursor.grammar.climb(cursor, binding + 1);
  switch (name) {
    case 'AND':
    case 'OR':
      return readConjuncts(cursor, operand, name, right);
    case 'LIKE':
    case 'ILIKE': {
      const pattern = right();
      const escape = take(cursor, 'ESCAPE') ? right() : null;
      return { kind: 'Like', operand, pattern, escape, caseInsensitive: name === 'ILIKE', negated, pos };
    }
    case 'SIMILAR TO': {
      const pattern = right();
      if (nextUpper(cursor) === 'ESCAPE') {
        const advice = 'a backslash makes the next character plain';
        throw unsupported(cursor, operator.pos, 'ESCAPE after SIMILAR TO', advice);
      }
      return { kind: 'SimilarTo', operand, pattern, negated, pos };
    }
    case 'BETWEEN': {
      const low = right();
      if (!take(cursor, 'AND'))
        throw refuse(cursor, operator.pos, 'BETWEEN without AND', 'write BETWEEN low AND high');
      return { kind: 'Between', operand, low, high: right(), negated, pos };
    }
    case 'IN':
      return readIn(cursor, operand, negated);
    case 'IS':
      return readTest(cursor, operand, negated);
    case '::':
      return { kind: 'Cast', operand, type: readType(cursor), tryCast: false, pos };
    case 'COLLATE':
      // Texts are in that order anyway.
      return operand;
    case 'AT TIME ZONE':
      return plainCall('TIMEZONE', [right(), operand], pos);
    case 'ESCAPE':
      throw unexpected(cursor, cursor.at - 1);
    default:
      return isQuantifier(nextUpper(cursor)) && isComparison(name)
        ? readQuantified(cursor, operand, name)
        : { kind: 'Binary', operator: name, left: operand, right: right(), pos };
  }
}

/** Whether an expression of an operator ends in parentheses that belong to it: `IN (…)`, `= ANY (…)`. */
export const endsInParentheses = ({ kind }: AstExpression): boolean =>
  kind === 'InList' || kind === 'InSubquery' || kind === 'QuantifiedList' || kind === 'QuantifiedComparison';

/** `a AND b AND c` is one node of three operands. */
function readConjuncts(
  cursor: Cursor,
  left: AstExpression,
  name: 'AND' | 'OR',
  right: () => AstExpression,
): AstExpression {
  const operands = [left];
  do operands.push(right());
  while (nextOperator(cursor)?.name === name && take(cursor, name));
  return { kind: name === 'AND' ? 'And' : 'Or', operands, pos: left.pos };
}

function readIn(cursor: Cursor, operand: AstExpression, negated: boolean): AstExpression {
  const { pos } = operand;
  if (holdsQuery(cursor, cursor.at)) {
    return { kind: 'InSubquery', operand, query: readQueryInParentheses(cursor), negated, pos };
  }
  require(cursor, '(');
  return { kind: 'InList', operand, values: readExpressionsInBrackets(cursor), negated, pos };
}

function readTest(cursor: Cursor, operand: AstExpression, negated: boolean): AstExpression {
  const test = nextUpper(cursor);
  if (test !== 'NULL' && test !== 'TRUE' && test !== 'FALSE' && test !== 'UNKNOWN')
    throw unexpected(cursor, cursor.at, ['NULL', 'TRUE', 'FALSE', 'UNKNOWN', 'DISTINCT FROM']);
  cursor.at++;
  return { kind: 'Is', operand, test, negated, pos: operand.pos };
}

const isComparison = (name: Operator['name']): name is Comparison =>
  ['=', '<>', '<', '<=', '>', '>='].includes(name);

const isQuantifier = (upper: string): boolean => upper === 'ANY' || upper === 'SOME' || upper === 'ALL';

/** What follows `= ANY`, `<> ALL` and so on: a subquery, or a value that is a list. */
function readQuantified(cursor: Cursor, operand: AstExpression, operator: Comparison): AstExpression {
  const quantifier = nextUpper(cursor) === 'ALL' ? 'ALL' : 'ANY';
  const shared: { operator: Comparison; quantifier: 'ANY' | 'ALL'; operand: AstExpression; pos: Position } = {
    ...{ operator, quantifier, operand, pos: operand.pos },
  };
  cursor.at++;
  if (holdsQuery(cursor, cursor.at)) {
    return { kind: 'QuantifiedComparison', ...shared, query: readQueryInParentheses(cursor) };
  }
  require(cursor, '(');
  const list = readExpression(cursor);
  requireCloser(cursor);
  return { kind: 'QuantifiedList', ...shared, list };
}
