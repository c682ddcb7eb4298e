import { PARSER_LIMITS } from '../limits.ts';
import { writeExpression, writeExpressionList } from './expressions.ts';
import { inside, isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

/** Writes the elements of GROUP BY: expressions, ROLLUP (…), CUBE (…), GROUPING SETS (…). */
export function writeGroupBy(scope: Scope, clause: Span): void {
  const { statement, draft } = scope;
  const elements = splitAtCommas(statement, clause);
  const { sets, columns } = sizeOf(elements.map((element) => sizeOfElement(statement, element)));
  if (sets > PARSER_LIMITS.groupingSetsMax) {
    throw unsupported(statement, clause.from, `more than ${PARSER_LIMITS.groupingSetsMax} grouping sets`);
  }
  scope.counts.groupingColumns += columns;
  if (scope.counts.groupingColumns > PARSER_LIMITS.groupingColumnsMax) {
    const what = `more than ${PARSER_LIMITS.groupingColumnsMax} columns in all grouping sets together`;
    throw unsupported(statement, clause.from, what, 'group by fewer columns, or by fewer sets of them');
  }
  elements.forEach((element, index) => {
    if (index > 0) draft.raw(',', element.from);
    writeElement(scope, element);
  });
}

/** Grouping sets, and the columns of all of them together. */
interface GroupingSize {
  readonly sets: number;
  readonly columns: number;
}

/** Each set of one element is joined with each of the others. */
function sizeOf(elements: readonly GroupingSize[]): GroupingSize {
  return elements.reduce(
    (all, { sets, columns }) => ({ sets: all.sets * sets, columns: all.columns * sets + columns * all.sets }),
    { sets: 1, columns: 0 },
  );
}

/** What an element of GROUP BY stands for. */
function sizeOfElement(statement: Statement, { from }: Span): GroupingSize {
  const upper = upperAt(statement, from);
  const opening = upper === 'GROUPING' ? from + 2 : from + 1;
  if (!['ROLLUP', 'CUBE', 'GROUPING'].includes(upper) || upperAt(statement, opening) !== '(')
    return { sets: 1, columns: 1 };
  const widths = splitAtCommas(statement, inside(statement, opening)).map((set) => widthOf(statement, set));
  const columns = widths.reduce((sum, width) => sum + width, 0);
  if (upper === 'GROUPING') return { sets: widths.length, columns };
  // A column is in half of the sets of CUBE; in ROLLUP, the first is in all of them but one.
  return upper === 'CUBE'
    ? { sets: 2 ** widths.length, columns: (columns * 2 ** widths.length) / 2 }
    : {
        sets: widths.length + 1,
        columns: widths.reduce((sum, width, i) => sum + width * (widths.length - i), 0),
      };
}

/** Columns of a set: `(a, b)` has two. */
function widthOf(statement: Statement, set: Span): number {
  const bracketed = upperAt(statement, set.from) === '(' && statement.closing[set.from] === set.to - 1;
  return bracketed ? splitAtCommas(statement, inside(statement, set.from)).length : 1;
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
