import type { AstExpression, AstGroupingElement, AstGroupingSet } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { readExpression, readExpressionsInBrackets } from './lists.ts';
import { closingOf, endsClause, isCloser } from './lookahead.ts';
import { AN_OPERATOR, require, requireCloser, unexpected, unsupported } from './refusals.ts';

/** Reads the elements of GROUP BY: expressions, ROLLUP (…), CUBE (…), GROUPING SETS (…), (). */
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
  if (upper === 'ALL') throw unsupported(cursor, at, 'GROUP BY ALL', 'name the columns');
  const isEmpty = upper === '(' && upperAt(cursor, at + 1) === ')';
  const element = readSets(cursor) ?? (isEmpty ? readSet(cursor) : readKey(cursor));
  if (nextUpper(cursor) !== ',' && !endsClause(cursor))
    throw unexpected(cursor, cursor.at, element.kind === 'Expression' ? AN_OPERATOR : ["','"]);
  return element;
}

const readKey = (cursor: Cursor): AstGroupingSet => ({
  kind: 'Expression',
  expression: readExpression(cursor),
});

/** Reads ROLLUP (…), CUBE (…) or GROUPING SETS (…), which alone may hold others of these. */
function readSets(cursor: Cursor): AstGroupingElement | null {
  const { position: pos } = next(cursor);
  const upper = nextUpper(cursor);
  const second = upperAt(cursor, cursor.at + 1);
  if ((upper === 'ROLLUP' || upper === 'CUBE') && second === '(') {
    cursor.at++;
    return { kind: upper === 'ROLLUP' ? 'Rollup' : 'Cube', elements: readList(cursor, readSet), pos };
  }
  if (upper !== 'GROUPING' || second !== 'SETS') return null;
  cursor.at += 2;
  const elements = readList(cursor, (inner) => readSets(inner) ?? readSet(inner));
  return { kind: 'GroupingSets', elements, pos };
}

function readList<T>(cursor: Cursor, readOne: (cursor: Cursor) => T): readonly T[] {
  require(cursor, '(');
  const list = [readOne(cursor)];
  while (take(cursor, ',')) list.push(readOne(cursor));
  requireCloser(cursor);
  return list;
}

/** Reads `(a, b)`, `()`, or a single expression. */
function readSet(cursor: Cursor): AstGroupingSet {
  const { at } = cursor;
  const { position: pos } = next(cursor);
  const upper = nextUpper(cursor);
  if (upper === 'ROLLUP' || upper === 'CUBE' || upper === 'GROUPING')
    throw unsupported(cursor, at, `${upper} inside of ROLLUP or CUBE`, 'write it inside of GROUPING SETS');
  if (take(cursor, '(')) {
    if (take(cursor, ')')) return { kind: 'Set', expressions: [], pos };
    const after = upperAt(cursor, closingOf(cursor, at) + 1);
    if (after === ',' || after === ')')
      return { kind: 'Set', expressions: readExpressionsInBrackets(cursor).flatMap(valuesOf), pos };
    // The brackets are a part of an expression.
    cursor.at = at;
  }
  const key = readKey(cursor);
  if (nextUpper(cursor) !== ',' && !isCloser(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return key;
}

/** To group by a row is to group by its values. */
const valuesOf = (node: AstExpression): readonly AstExpression[] =>
  node.kind === 'Row' ? node.values : [node];

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
  if (element.kind === 'Set') return { sets: 1, columns: Math.max(element.expressions.length, 1) };
  const parts = element.elements.map(sizeOfElement);
  const columns = parts.reduce((sum, part) => sum + part.columns, 0);
  switch (element.kind) {
    case 'GroupingSets':
      return { sets: parts.reduce((sum, part) => sum + part.sets, 0), columns };
    case 'Cube':
      // A column is in half of the sets of CUBE.
      return { sets: 2 ** parts.length, columns: (columns * 2 ** parts.length) / 2 };
    case 'Rollup':
      // The first is in all sets of ROLLUP but one.
      return {
        sets: parts.length + 1,
        columns: parts.reduce((sum, part, i) => sum + part.columns * (parts.length - i), 0),
      };
  }
}
