import type { AstExpression, AstSortKey, Position } from '../ast.ts';
import type { ChainMark, InfixOperator, OperandMark } from '../marks.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { BINDING, infixBinding, isLeftAssociative } from '../precedence.ts';
import { unsupported } from '../prepass/statement.ts';
import { callOf, linksOf, misplaced, refuse, type Link, type TreeContext } from './context.ts';
import { makeInfix } from './infix.ts';
import { readParenthesised } from './library.ts';
import { readQuery } from './queries.ts';
import { applyFunctionSuffix } from './windows.ts';

/** A place in a chain; `at` moves on as its links are used up. */
export interface Cursor {
  readonly links: readonly Link[];
  at: number;
  /** Prefix operators that are being read, each a level of recursion. */
  prefixes: number;
}

/** The expression that a chain stands for, built anew from its links by the table of precedence. */
export function readExpression(context: TreeContext, node: unknown): AstExpression {
  return readLinks(context, linksOf(context, node));
}

/** The same for links. */
export function readLinks(context: TreeContext, links: readonly Link[]): AstExpression {
  const cursor: Cursor = { links, at: 0, prefixes: 0 };
  const expression = climb(context, cursor, 0);
  const rest = links[cursor.at];
  if (rest !== undefined) throw unexpectedLink(context, rest);
  return expression;
}

/** A sort key of any ORDER BY. */
export function readSortKey(context: TreeContext, node: unknown): AstSortKey {
  const { mark, operands } = callOf(context, node);
  if (mark.kind !== 'SortKey') throw misplaced(mark.kind);
  const [operand] = operands;
  return { expression: readExpression(context, operand), descending: mark.descending, nulls: mark.nulls };
}

/** Reads on as long as operators bind at least as tightly as `binding`. */
export function climb(context: TreeContext, cursor: Cursor, binding: number): AstExpression {
  let left = readOperand(context, cursor, binding);
  let unchainable = 0;
  let accessible = left.kind !== 'Exists' && left.kind !== 'Row';
  for (let link = cursor.links[cursor.at]; link !== undefined; link = cursor.links[cursor.at]) {
    if (link.kind !== 'Marked') throw misplaced('CASE');
    const { mark } = link;
    accessible &&= mark.kind === 'AccessSuffix' || mark.kind === 'SubscriptSuffix';
    if (mark.kind === 'Infix') {
      const own = infixBinding(mark.operator);
      if (own < binding || mark.operator === 'ESCAPE') break;
      if (own === unchainable) throw unexpectedLink(context, link);
      cursor.at++;
      left = makeInfix(context, cursor, left, mark);
      unchainable = isLeftAssociative(mark.operator) || endsInParentheses(mark.operator) ? 0 : own;
    } else if (mark.kind === 'Is') {
      if (BINDING.IS < binding) break;
      if (unchainable === BINDING.IS) throw unexpectedLink(context, link);
      cursor.at++;
      const { test, negated } = mark;
      left = { kind: 'Is', operand: left, test, negated, pos: left.pos };
      unchainable = 0;
    } else if (mark.kind === 'CastSuffix') {
      cursor.at++;
      left = { kind: 'Cast', operand: left, type: mark.type, tryCast: false, pos: left.pos };
    } else if (mark.kind === 'AccessSuffix') {
      if (!accessible) throw unexpectedLink(context, link);
      cursor.at++;
      left = { kind: 'Access', operand: left, path: mark.path, pos: left.pos };
    } else if (mark.kind === 'SubscriptSuffix') {
      if (!accessible) throw unexpectedLink(context, link);
      cursor.at++;
      left = {
        kind: 'Subscript',
        operand: left,
        index: readExpression(context, link.operands[0]),
        pos: left.pos,
      };
    } else {
      cursor.at++;
      left = applyFunctionSuffix(context, left, mark, link.operands);
    }
  }
  return left;
}

/** After `IN (…)` and `= ANY (…)` the grammar of SQL has nothing left to be unsure of. */
const endsInParentheses = (operator: InfixOperator): boolean =>
  operator === 'IN' || / (ANY|ALL)$/.test(operator);

function readOperand(context: TreeContext, cursor: Cursor, binding: number): AstExpression {
  const link = cursor.links[cursor.at++];
  if (link?.kind !== 'Marked') throw misplaced('an operand');
  const { mark, operands } = link;
  switch (mark.kind) {
    case 'Leaf':
      return mark.expression;
    case 'Prefix':
      return readPrefix(context, cursor, mark, binding);
    case 'CasePlace':
      return readCase(context, cursor.links[cursor.at++], mark.pos);
    case 'Group':
    case 'Row':
    case 'Subquery':
    case 'Exists':
    case 'Function':
    case 'Form':
      return readOperandCall(context, mark, operands);
    default:
      throw misplaced(mark.kind);
  }
}

function readPrefix(
  context: TreeContext,
  cursor: Cursor,
  mark: Extract<ChainMark, { kind: 'Prefix' }>,
  binding: number,
): AstExpression {
  const { operator, pos } = mark;
  if (operator === 'NOT' && binding > BINDING.RANGE) {
    throw refuse(context, pos, "unexpected 'NOT'", 'put NOT and its operand in parentheses here');
  }
  if (++cursor.prefixes > PARSER_LIMITS.nestingMax) {
    throw unsupported(context.statement, pos, `nesting deeper than ${PARSER_LIMITS.nestingMax} levels`);
  }
  const own = { NOT: BINDING.NOT, '~': BINDING.OTHER + 1, '-': BINDING.SIGN, '+': BINDING.SIGN }[operator];
  const operand = climb(context, cursor, own);
  cursor.prefixes--;
  return operator === 'NOT' ? { kind: 'Not', operand, pos } : { kind: 'Unary', operator, operand, pos };
}

function readCase(context: TreeContext, link: Link | undefined, pos: Position): AstExpression {
  if (link?.kind !== 'Case') throw misplaced('CASE');
  return {
    kind: 'Case',
    operand: link.operand === null ? null : readExpression(context, link.operand),
    branches: link.branches.map(({ when, then }) => ({
      when: readExpression(context, when),
      then: readExpression(context, then),
    })),
    otherwise: link.otherwise === null ? null : readExpression(context, link.otherwise),
    pos,
  };
}

function readOperandCall(
  context: TreeContext,
  mark: OperandMark,
  operands: readonly unknown[],
): AstExpression {
  const { pos } = mark;
  const [first] = operands;
  switch (mark.kind) {
    case 'Group':
      return readExpression(context, first);
    case 'Row':
    case 'List':
      return { kind: 'Row', values: operands.map((operand) => readExpression(context, operand)), pos };
    case 'Subquery':
      return { kind: 'ScalarSubquery', query: readQuery(context, readParenthesised(first)), pos };
    case 'Exists':
      return { kind: 'Exists', query: readQuery(context, readParenthesised(first)), pos };
    case 'Form':
      return mark.make(operands.map((operand) => readExpression(context, operand)));
    case 'Function':
      return readFunction(context, mark, operands);
  }
}

function readFunction(
  context: TreeContext,
  { name, distinct, star, pos }: Extract<OperandMark, { kind: 'Function' }>,
  operands: readonly unknown[],
): AstExpression {
  const isSortKey = (operand: unknown): boolean => {
    const [link] = linksOf(context, operand);
    return link?.kind === 'Marked' && link.mark.kind === 'SortKey';
  };
  const firstKey = operands.findIndex(isSortKey);
  const plain = firstKey < 0 ? operands : operands.slice(0, firstKey);
  const keys = firstKey < 0 ? [] : operands.slice(firstKey);
  const values = plain.map((operand) => readExpression(context, operand));
  if (name === 'ROW' && !distinct && !star && keys.length === 0) return { kind: 'Row', values, pos };
  const orderBy = keys.map((key) => readSortKey(context, key));
  const none = { withinGroup: [], filter: null, over: null };
  return { kind: 'FunctionCall', name, arguments: values, star, distinct, orderBy, ...none, pos };
}

function unexpectedLink(context: TreeContext, link: Link): Error {
  if (link.kind !== 'Marked') return misplaced('CASE');
  const { mark } = link;
  if (mark.kind === 'Infix') {
    const advice =
      mark.operator === 'ESCAPE' ? 'ESCAPE follows LIKE' : 'use parentheses: comparisons cannot be chained';
    return refuse(context, mark.pos, `unexpected '${mark.operator}'`, advice);
  }
  if (mark.kind === 'AccessSuffix' || mark.kind === 'SubscriptSuffix')
    return refuse(context, mark.pos, 'unexpected subscript', 'put what is before it in parentheses');
  if (mark.kind === 'Is') return refuse(context, mark.pos, "unexpected 'IS'", 'use parentheses');
  return misplaced(mark.kind);
}
