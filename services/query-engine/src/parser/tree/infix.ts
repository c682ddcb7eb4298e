import type { AstExpression, AstQuery } from '../ast.ts';
import type { ChainMark, ComparisonOperator } from '../marks.ts';
import { BINDING, infixBinding } from '../precedence.ts';
import { unsupported } from '../prepass/statement.ts';
import { misplaced, refuse, type TreeContext } from './context.ts';
import { climb, readExpression, type Cursor } from './expressions.ts';
import { readParenthesised } from './library.ts';
import { readQuery } from './queries.ts';

type Infix = Extract<ChainMark, { kind: 'Infix' }>;

/** The expression of an operator whose left operand has been read, with what follows it in the chain. */
export function makeInfix(
  context: TreeContext,
  cursor: Cursor,
  left: AstExpression,
  mark: Infix,
): AstExpression {
  const { operator, negated } = mark;
  const { pos } = left;
  const right = (): AstExpression => climb(context, cursor, infixBinding(operator) + 1);
  switch (operator) {
    case 'AND':
    case 'OR':
      return readConjuncts(context, cursor, left, operator);
    case 'LIKE':
    case 'ILIKE': {
      const pattern = right();
      const escape = nextIs(cursor, 'ESCAPE') ? climb(context, advance(cursor), BINDING.RANGE + 1) : null;
      return {
        kind: 'Like',
        operand: left,
        pattern,
        escape,
        caseInsensitive: operator === 'ILIKE',
        negated,
        pos,
      };
    }
    case 'SIMILAR TO': {
      const pattern = right();
      if (nextIs(cursor, 'ESCAPE')) {
        const advice = 'a backslash makes the next character plain';
        throw unsupported(context.statement, mark.pos, 'ESCAPE after SIMILAR TO', advice);
      }
      return { kind: 'SimilarTo', operand: left, pattern, negated, pos };
    }
    case 'BETWEEN': {
      const low = right();
      if (!nextIs(cursor, 'AND'))
        throw refuse(context, mark.pos, 'BETWEEN without AND', 'write BETWEEN low AND high');
      advance(cursor);
      return { kind: 'Between', operand: left, low, high: right(), negated, pos };
    }
    case 'IN':
      return readIn(context, cursor, left, negated);
    case 'ESCAPE':
      throw misplaced('ESCAPE');
    default: {
      const quantified = / (ANY|ALL)$/.exec(operator);
      if (quantified !== null) {
        const comparison = operator.slice(0, quantified.index) as ComparisonOperator;
        const quantifier = quantified[1] === 'ALL' ? 'ALL' : 'ANY';
        const list = nextList(context, cursor);
        if (list !== null)
          return { kind: 'QuantifiedList', operator: comparison, quantifier, operand: left, list, pos };
        const query = readSubquery(context, cursor);
        return { kind: 'QuantifiedComparison', operator: comparison, quantifier, operand: left, query, pos };
      }
      return {
        kind: 'Binary',
        operator: operator as Exclude<typeof operator, `${string} ${'ANY' | 'ALL'}`>,
        left,
        right: right(),
        pos,
      };
    }
  }
}

/** `a AND b AND c` is one node of three operands. */
function readConjuncts(
  context: TreeContext,
  cursor: Cursor,
  left: AstExpression,
  operator: 'AND' | 'OR',
): AstExpression {
  const operands = [left, climb(context, cursor, infixBinding(operator) + 1)];
  while (nextIs(cursor, operator)) operands.push(climb(context, advance(cursor), infixBinding(operator) + 1));
  return { kind: operator === 'AND' ? 'And' : 'Or', operands, pos: left.pos };
}

function readIn(
  context: TreeContext,
  cursor: Cursor,
  operand: AstExpression,
  negated: boolean,
): AstExpression {
  const link = cursor.links[cursor.at];
  if (link?.kind !== 'Marked') throw misplaced('IN');
  const { pos } = operand;
  if (link.mark.kind !== 'List') {
    return { kind: 'InSubquery', operand, query: readSubquery(context, cursor), negated, pos };
  }
  cursor.at++;
  const values = link.operands.map((value) => readExpression(context, value));
  return { kind: 'InList', operand, values, negated, pos };
}

/** The value in the parentheses after ANY or ALL; null where these hold a query. */
function nextList(context: TreeContext, cursor: Cursor): AstExpression | null {
  const link = cursor.links[cursor.at];
  if (link?.kind !== 'Marked' || link.mark.kind !== 'List') return null;
  cursor.at++;
  return readExpression(context, link.operands[0]);
}

function readSubquery(context: TreeContext, cursor: Cursor): AstQuery {
  const link = cursor.links[cursor.at++];
  if (link?.kind !== 'Marked' || link.mark.kind !== 'Subquery') throw misplaced('a subquery');
  return readQuery(context, readParenthesised(link.operands[0]));
}

function nextIs(cursor: Cursor, operator: 'AND' | 'OR' | 'ESCAPE'): boolean {
  const link = cursor.links[cursor.at];
  return link?.kind === 'Marked' && link.mark.kind === 'Infix' && link.mark.operator === operator;
}

function advance(cursor: Cursor): Cursor {
  cursor.at++;
  return cursor;
}
