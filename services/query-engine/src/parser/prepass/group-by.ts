import { PARSER_LIMITS } from '../limits.ts';
import { writeExpression, writeExpressionList } from './expressions.ts';
import { inside, isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

/** Writes the elements of GROUP BY: expressions, ROLLUP (…), CUBE (…), GROUPING SETS (…). */
export function writeGroupBy(scope: Scope, clause: Span): void {
  const { statement, draft } = scope;
  const elements = splitAtCommas(statement, clause);
  const sets = elements.reduce((product, element) => product * setsOf(statement, element), 1);
  if (sets > PARSER_LIMITS.groupingSetsMax) {
    throw unsupported(statement, clause.from, `more than ${PARSER_LIMITS.groupingSetsMax} grouping sets`);
  }
  elements.forEach((element, index) => {
    if (index > 0) draft.raw(',', element.from);
    writeElement(scope, element);
  });
}

/** How many grouping sets an element of GROUP BY stands for. */
function setsOf(statement: Statement, { from }: Span): number {
  const upper = upperAt(statement, from);
  const opening = upper === 'GROUPING' ? from + 2 : from + 1;
  if (!['ROLLUP', 'CUBE', 'GROUPING'].includes(upper) || upperAt(statement, opening) !== '(') return 1;
  const count = splitAtCommas(statement, inside(statement, opening)).length;
  return upper === 'CUBE' ? 2 ** count : upper === 'ROLLUP' ? count + 1 : count;
}

function writeElement(scope: Scope, element: Span): void {
  const { statement, draft } = scope;
  const { upper, position: pos } = tokenAt(statement, element.from);
  const second = upperAt(statement, element.from + 1);
  if (upper === 'ALL') throw unsupported(statement, element.from, 'GROUP BY ALL', 'name the columns');
  if (upper === '(' && second === ')')
    throw unsupported(statement, element.from, 'GROUP BY ()', 'leave GROUP BY out');
  if ((upper === 'ROLLUP' || upper === 'CUBE') && second === '(') {
    writeSets(scope, element, element.from + 1, upper === 'ROLLUP' ? 'Rollup' : 'Cube');
  } else if (upper === 'GROUPING' && second === 'SETS') {
    writeSets(scope, element, element.from + 2, 'GroupingSets');
  } else {
    draft.call({ kind: 'GroupExpression', pos }, element.from, () => writeExpression(scope, element));
  }
}

function writeSets(
  scope: Scope,
  element: Span,
  opening: number,
  kind: 'Rollup' | 'Cube' | 'GroupingSets',
): void {
  const { statement, draft } = scope;
  if (upperAt(statement, opening) !== '(') throw unexpected(statement, opening, ["'('"]);
  const span = inside(statement, opening);
  if (span.to + 1 < element.to) throw unexpected(statement, span.to + 1, ["','"]);
  draft.call({ kind, pos: tokenAt(statement, element.from).position }, element.from, () => {
    splitAtCommas(statement, span).forEach((set, index) => {
      if (index > 0) draft.raw(',', set.from);
      writeSet(scope, set);
    });
  });
}

function writeSet(scope: Scope, set: Span): void {
  const { statement, draft } = scope;
  if (isKeyword(statement, set.from, 'ROLLUP', 'CUBE', 'GROUPING')) {
    throw unsupported(statement, set.from, `${upperAt(statement, set.from)} inside of grouping sets`);
  }
  const bracketed = upperAt(statement, set.from) === '(' && statement.closing[set.from] === set.to - 1;
  const expressions = bracketed ? inside(statement, set.from) : set;
  draft.call({ kind: 'GroupingSet', pos: tokenAt(statement, set.from).position }, set.from, () => {
    if (!bracketed || expressions.from < expressions.to) writeExpressionList(scope, expressions);
  });
}
