import { syntaxError } from '../errors.ts';
import { startsOtherStatement } from '../keywords.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { writeExpressionList } from './expressions.ts';
import { writeQueryTail } from './query-tail.ts';
import { inside, isQueryStart, isValues, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeSelect } from './select.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';
import { writeWith } from './with.ts';

const SET_OPERATORS = new Set(['UNION', 'INTERSECT', 'EXCEPT']);

/** Writes the query in the parentheses that open at an index, as an argument of a call. */
export function writeQueryArgument(scope: Scope, opening: number): void {
  scope.draft.enclosed(opening, () => writeQuery(scope, inside(scope.statement, opening)));
}

/**
 * Writes the query that fills a span: WITH, operands joined by set operations, ORDER BY and LIMIT. Each operand is a
 * SELECT for the grammar, one in parentheses too, with a call in its WHERE that holds it.
 */
export function writeQuery(scope: Scope, span: Span): void {
  const { statement, draft } = scope;
  let at = upperAt(statement, span.from) === 'WITH' ? writeWith(scope, span) : span.from;
  for (let allBefore = false; ;) {
    at = writeQueryOperand(scope, { from: at, to: span.to }, allBefore);
    const operator = upperAt(statement, at);
    if (at >= span.to || !SET_OPERATORS.has(operator)) break;
    draft.raw(operator, at);
    const quantifier = upperAt(statement, at + 1);
    allBefore = quantifier === 'ALL';
    at += quantifier === 'ALL' || quantifier === 'DISTINCT' ? 2 : 1;
    if (isByName(statement, at))
      throw unsupported(statement, at, `${operator} BY NAME`, 'name the columns in order');
  }
  at = writeQueryTail(scope, { from: at, to: span.to });
  if (at < span.to) {
    const again = SET_OPERATORS.has(upperAt(statement, at));
    throw unexpected(statement, at, [], again ? 'ORDER BY and LIMIT before it need parentheses' : undefined);
  }
}

const isByName = (statement: Statement, index: number): boolean =>
  upperAt(statement, index) === 'BY' && upperAt(statement, index + 1) === 'NAME';

function writeQueryOperand(scope: Scope, span: Span, allBefore: boolean): number {
  const { statement, draft } = scope;
  const { from } = span;
  const { upper, position: pos } = tokenAt(statement, from);
  if (from >= span.to) throw unexpected(statement, from, ['SELECT']);
  if (++scope.counts.selects > PARSER_LIMITS.selectsMax) {
    throw unsupported(statement, from, `more than ${PARSER_LIMITS.selectsMax} SELECTs in one statement`);
  }
  if (upper === 'SELECT' || upper === 'FROM') return writeSelect(scope, span, allBefore);
  if (upper === '(' && isQueryStart(statement, from)) {
    draft.raw('SELECT', from);
    draft.call({ kind: 'QueryOperand', allBefore, pos }, from, () => undefined);
    draft.raw('WHERE', from);
    draft.call({ kind: 'Nested', pos }, from, () => writeQueryArgument(scope, from));
    return inside(statement, from).to + 1;
  }
  if (isValues(statement, from)) return writeValues(scope, span, allBefore);
  throw notAQuery(statement, from);
}

/** The error for something that is no query where one has to start. */
export function notAQuery(statement: Pick<Statement, 'sql' | 'tokens'>, index: number): Error {
  const { upper, position } = tokenAt(statement, index);
  if (startsOtherStatement(upper)) {
    return syntaxError('unsupported', statement.sql, position, upper, 'only SELECT is supported');
  }
  return unexpected(statement, index, ['SELECT', 'WITH']);
}

function writeValues(scope: Scope, span: Span, allBefore: boolean): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, span.from).position;
  let at = span.from + 1;
  draft.raw('SELECT', span.from);
  let width = 0;
  draft.call({ kind: 'ValuesOperand', allBefore, pos }, span.from, () => undefined);
  draft.raw('WHERE', span.from);
  draft.call({ kind: 'Items', pos }, span.from, () => {
    for (;;) {
      const row = at;
      if (upperAt(statement, row) !== '(') throw unexpected(statement, row, ["'('"]);
      const values = inside(statement, row);
      const columns = splitAtCommas(statement, values).length;
      if (width > 0 && columns !== width) {
        throw unexpected(statement, row, [], `every row needs ${width} values like the first`);
      }
      width = columns;
      draft.call({ kind: 'ValuesRow', pos: tokenAt(statement, row).position }, row, () => {
        writeExpressionList(scope, values);
      });
      at = values.to + 1;
      if (upperAt(statement, at) !== ',' || at >= span.to) return;
      draft.raw(',', at);
      at++;
    }
  });
  return at;
}
