import type { AstExpression, AstGroupingElement } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { readExpression, readExpressionsInBrackets } from './lists.ts';
import { closingOf, endsClause, isCloser } from './lookahead.ts';
import { AN_OPERATOR, require, unexpected, unsupported } from './refusals.ts';

type SetsKind = Exclude<AstGroupingElement['kind'], 'Expression'>;

/** Reads the elements of GROUP BY: expressions, ROLLUP (…), CUBE (…), GROUPING SETS (…). */
export function readGroupBy(cursor: Cursor): readonly AstGroupingElement[] {
  const start = cursor.at;
  const elements = [readElement(cursor)];
  while (take(cursor, ',')) elements.push(readElement(cursor));
  const { sets, columns } = sizeOf(elements.map(sizeOfElement));
  if (sets > PARSER_LIMITS.groupingSetsMax) {
    throw unsupported(cursor, start, `more than ${PARSER_LIMITS.groupingSetsMax} grouping sets`);
  }
  cursor.counts.groupingColumns += columns;
  if (cursor.counts.groupingColumns > PARSER_LIMITS.groupingColumnsMax) {
    const what = `more than ${PARSER_LIMITS.groupingColumnsMax} columns in all grouping sets together`;
    throw unsupported(cursor, start, what, 'group by fewer columns, or by fewer sets of them');
  }
  return elements;
}

function readElement(cursor: Cursor): AstGroupingElement {
  const { at } = cursor;
  const upper = nextUpper(cursor);
  const second = upperAt(cursor, at + 1);
  if (upper === 'ALL') throw unsupported(cursor, at, 'GROUP BY ALL', 'name the columns');
  if (upper === '(' && second === ')') throw unsupported(cursor, at, 'GROUP BY ()', 'leave GROUP BY out');
  if ((upper === 'ROLLUP' || upper === 'CUBE') && second === '(')
    return readSets(cursor, upper === 'ROLLUP' ? 'Rollup' : 'Cube', 1);
  if (upper === 'GROUPING' && second === 'SETS') return readSets(cursor, 'GroupingSets', 2);
  const expression = readExpression(cursor);
  if (nextUpper(cursor) !== ',' && !endsClause(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return { kind: 'Expression', expression };
}

function readSets(cursor: Cursor, kind: SetsKind, words: number): AstGroupingElement {
  cursor.at += words;
  require(cursor, '(');
  const sets = [readSet(cursor)];
  while (take(cursor, ',')) sets.push(readSet(cursor));
  cursor.at++;
  if (nextUpper(cursor) !== ',' && !endsClause(cursor)) throw unexpected(cursor, cursor.at, ["','"]);
  return { kind, sets };
}

/** Reads `(a, b)`, `()`, or a single expression. */
function readSet(cursor: Cursor): readonly AstExpression[] {
  const { at } = cursor;
  const upper = nextUpper(cursor);
  if (upper === 'ROLLUP' || upper === 'CUBE' || upper === 'GROUPING') {
    throw unsupported(cursor, at, `${upper} inside of grouping sets`);
  }
  const after = upper === '(' ? upperAt(cursor, closingOf(cursor, at) + 1) : '';
  if (after === ',' || after === ')') {
    cursor.at++;
    if (!take(cursor, ')')) return readExpressionsInBrackets(cursor);
    return [];
  }
  const expression = readExpression(cursor);
  if (nextUpper(cursor) !== ',' && !isCloser(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return [expression];
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

function sizeOfElement(element: AstGroupingElement): GroupingSize {
  if (element.kind === 'Expression') return { sets: 1, columns: 1 };
  const widths = element.sets.map((set) => Math.max(set.length, 1));
  const columns = widths.reduce((sum, width) => sum + width, 0);
  switch (element.kind) {
    case 'GroupingSets':
      return { sets: widths.length, columns };
    case 'Cube':
      // A column is in half of the sets of CUBE.
      return { sets: 2 ** widths.length, columns: (columns * 2 ** widths.length) / 2 };
    case 'Rollup':
      // The first is in all sets of ROLLUP but one.
      return {
        sets: widths.length + 1,
        columns: widths.reduce((sum, width, i) => sum + width * (widths.length - i), 0),
      };
  }
}
