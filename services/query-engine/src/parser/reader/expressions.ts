import type { AstExpression, Position } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { BINDING, isLeftAssociative } from '../precedence.ts';
import { readAccess, startsAccess } from './access.ts';
import { next, nextUpper, type Cursor } from './cursor.ts';
import { readOperand } from './operands.ts';
import { nextOperator, type Operator } from './operators.ts';
import { applyOperator, endsInParentheses } from './predicates.ts';
import { refuse, unsupported } from './refusals.ts';

/** How tightly a prefix operator holds its operand. */
const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['NOT', BINDING.NOT],
  ['~', BINDING.OTHER + 1],
  ['-', BINDING.SIGN],
  ['+', BINDING.SIGN],
]);

/** Reads an expression by the table of precedence, as far as its operators bind at least as tightly as `binding`. */
export function climb(cursor: Cursor, binding: number): AstExpression {
  const grouped = nextUpper(cursor) === '(';
  let left = readPrefix(cursor, binding) ?? readOperand(cursor);
  let accessible = grouped ? isValue(left) : isValue(left) && !hasSuffix(left);
  let unchainable = 0;
  for (;;) {
    if (startsAccess(cursor)) {
      if (!accessible) throw unexpectedSubscript(cursor);
      left = readAccess(cursor, left);
      continue;
    }
    const operator = nextOperator(cursor);
    if (operator === undefined || operator.binding < binding || operator.name === 'ESCAPE') return left;
    if (operator.binding === unchainable) throw unexpectedOperator(cursor, operator);
    cursor.at = operator.next;
    left = applyOperator(cursor, left, operator);
    accessible = false;
    unchainable = isChainable(operator, left) ? 0 : operator.binding;
  }
}

/** After `IN (…)`, `= ANY (…)` and `IS NULL` the grammar of SQL has nothing left to be unsure of. */
function isChainable({ name, binding }: Operator, made: AstExpression): boolean {
  return (
    binding === BINDING.OTHER ||
    name === '::' ||
    name === 'COLLATE' ||
    name === 'IS' ||
    endsInParentheses(made) ||
    isLeftAssociative(name)
  );
}

function unexpectedOperator(cursor: Cursor, { name, pos }: Operator): Error {
  const advice = name === 'IS' ? 'use parentheses' : 'use parentheses: comparisons cannot be chained';
  return refuse(cursor, pos, `unexpected '${name}'`, advice);
}

function readPrefix(cursor: Cursor, binding: number): AstExpression | undefined {
  const { upper, position: pos } = next(cursor);
  const own = PREFIXES.get(upper);
  if (own === undefined) return undefined;
  if (upper === 'NOT' && binding > BINDING.RANGE) {
    throw refuse(cursor, pos, "unexpected 'NOT'", 'put NOT and its operand in parentheses here');
  }
  cursor.at++;
  const { prefixes } = cursor;
  prefixes.inExpression++;
  prefixes.inAll++;
  checkPrefixes(cursor, pos);
  const operand = climb(cursor, own);
  prefixes.inExpression--;
  prefixes.inAll--;
  if (upper === 'NOT') return { kind: 'Not', operand, pos };
  return { kind: 'Unary', operator: upper as '-' | '+' | '~', operand, pos };
}

/** Each is a level of recursion, and of the tree. */
function checkPrefixes(cursor: Cursor, pos: Position): void {
  const { inExpression, inAll } = cursor.prefixes;
  const { nestingMax, treeLevelsMax } = PARSER_LIMITS;
  if (inExpression > nestingMax) throw unsupported(cursor, pos, `nesting deeper than ${nestingMax} levels`);
  if (inAll > treeLevelsMax) {
    throw unsupported(cursor, pos, `an expression deeper than ${treeLevelsMax} levels`, 'shorten the query');
  }
}

const isValue = ({ kind }: AstExpression): boolean => kind !== 'Exists' && kind !== 'Row';

function hasSuffix(operand: AstExpression): boolean {
  if (operand.kind !== 'FunctionCall') return false;
  return operand.over !== null || operand.filter !== null || operand.withinGroup.length > 0;
}

const unexpectedSubscript = (cursor: Cursor): Error =>
  refuse(cursor, next(cursor).position, 'unexpected subscript', 'put what is before it in parentheses');
