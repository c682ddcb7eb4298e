import { writeCall } from './calls.ts';
import { writeCase } from './case.ts';
import { writeLiteral } from './literals.ts';
import { identifierAt, readSteps } from './names.ts';
import { writeOperator, writePrefix } from './operators.ts';
import { writeQueryArgument } from './queries.ts';
import { findAtLevel, holdsQuery, inside, isColumnName, isName, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeSpecialForm } from './special-forms.ts';
import { tokenAt, unexpected, unsupported, upperAt } from './statement.ts';

const AN_EXPRESSION = ['an expression'];

/** Writes the expression that fills a span as one chain. */
export function writeExpression(scope: Scope, span: Span): void {
  const end = writeChain(scope, span);
  if (end < span.to) throw unexpected(scope.statement, end, ['an operator', 'the end of the expression']);
}

/** Writes the expressions between the commas of a span; at least one. */
export function writeExpressionList(scope: Scope, span: Span): void {
  splitAtCommas(scope.statement, span).forEach((part, index) => {
    if (index > 0) scope.draft.raw(',', part.from);
    writeExpression(scope, part);
  });
}

/** Writes the longest chain that starts a span, and returns the index after it. */
export function writeChain(scope: Scope, span: Span): number {
  const { draft, statement } = scope;
  let at = span.from;
  let needsOperand = true;
  while (at < span.to) {
    const next: number | undefined = needsOperand
      ? (writePrefix(scope, at) ?? writeOperand(scope, at))
      : (writeOperator(scope, at, span.to) ?? writeAccess(scope, at));
    if (next === undefined) break;
    at = next;
    needsOperand = !draft.afterOperand;
  }
  if (needsOperand) throw unexpected(statement, at, AN_EXPRESSION);
  return at;
}

function writeOperand(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const literal = writeLiteral(scope, index);
  if (literal !== undefined) return literal;
  const { type, upper } = tokenAt(statement, index);
  if (upper === '(') return writeParentheses(scope, index);
  if (upper === '[') return writeListLiteral(scope, index, index);
  if (upper === 'ARRAY' && upperAt(statement, index + 1) === '[')
    return writeListLiteral(scope, index, index + 1);
  if (upper === '{')
    throw unsupported(
      statement,
      index,
      'struct literals',
      'write the parts as columns, or a list such as [1, 2]',
    );
  if (upper === '*') throw unexpected(statement, index, AN_EXPRESSION);
  if (type === 'word') {
    const special = upper === 'CASE' ? writeCase(scope, index) : writeSpecialForm(scope, index);
    if (special !== undefined) return special;
    if (
      upperAt(statement, index + 1) === '(' &&
      (isName(statement, index) || upper === 'LEFT' || upper === 'RIGHT')
    ) {
      return writeCall(scope, index);
    }
  }
  if (!isColumnName(statement, index)) throw unexpected(statement, index, AN_EXPRESSION);
  const { steps, next } = readSteps(statement, index + 1);
  if (upperAt(statement, next) === '(') {
    throw unsupported(
      statement,
      index,
      type === 'name' ? 'function names in quotes' : 'function names with a dot',
    );
  }
  const identifier = identifierAt(statement, index);
  const path = [{ kind: 'Name' as const, identifier }, ...steps];
  draft.operand({ kind: 'Leaf', expression: { kind: 'Name', path, pos: identifier.pos } }, index);
  return upperAt(statement, next) === '[' ? writeSubscript(scope, next) : next;
}

function writeParentheses(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  const span = inside(statement, index);
  if (holdsQuery(statement, index)) {
    draft.call({ kind: 'Subquery', pos }, index, () => writeQueryArgument(scope, index));
  } else {
    const kind = splitAtCommas(statement, span).length > 1 ? 'Row' : 'Group';
    draft.call({ kind, pos }, index, () => writeExpressionList(scope, span));
  }
  return span.to + 1;
}

/** `[1, 2]` and `ARRAY[1, 2]` are calls of LIST_VALUE. */
function writeListLiteral(scope: Scope, index: number, opening: number): number {
  const { statement, draft } = scope;
  const span = inside(statement, opening);
  const mark = { kind: 'Function', name: 'LIST_VALUE', distinct: false, star: false } as const;
  draft.call({ ...mark, pos: tokenAt(statement, index).position }, index, () => {
    if (span.from < span.to) writeExpressionList(scope, span);
  });
  return span.to + 1;
}

/** `(x).name`, `f(x)[0]`, `x[i]`: steps into something that is not a name, or computed ones. */
function writeAccess(scope: Scope, index: number): number | undefined {
  const { statement, draft } = scope;
  const before = upperAt(statement, index - 1);
  if (before !== ')' && before !== ']') return undefined;
  const { steps: path, next } = readSteps(statement, index);
  if (path.length === 0) return upperAt(statement, index) === '[' ? writeSubscript(scope, index) : undefined;
  draft.operand({ kind: 'AccessSuffix', path, pos: tokenAt(statement, index).position }, index);
  return upperAt(statement, next) === '[' ? writeSubscript(scope, next) : next;
}

function writeSubscript(scope: Scope, opening: number): number {
  const { statement, draft } = scope;
  const span = inside(statement, opening);
  const colon = findAtLevel(statement, span, (index) => tokenAt(statement, index).text.startsWith(':'));
  if (colon > span.from || upperAt(statement, span.from) === ':') {
    throw unsupported(
      statement,
      opening,
      'a slice of a list',
      'read its elements one by one: tags[0], tags[1]',
    );
  }
  const pos = tokenAt(statement, opening).position;
  draft.call({ kind: 'SubscriptSuffix', pos }, opening, () => writeExpression(scope, span));
  return span.to + 1;
}
