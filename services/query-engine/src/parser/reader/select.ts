import type { AstExpression, AstFromItem, AstGroupingElement, AstSelect, AstSelectItem } from '../ast.ts';
import { next, nextUpper, take, upperAt, type Cursor, type NamedWindows } from './cursor.ts';
import { readFrom } from './from.ts';
import { readGroupBy } from './group-by.ts';
import { readExpression, readExpressionsInBrackets } from './lists.ts';
import { CLAUSES, endsClause } from './lookahead.ts';
import { checkQualifiedStars } from './qualified-stars.ts';
import { require, requireClauseEnd, unexpected } from './refusals.ts';
import { readSelectItems } from './select-items.ts';
import { allColumns } from './stars.ts';
import { readTableName } from './table-names.ts';
import { inWindowScope, NO_WINDOWS, readWindowClause, resolveWindows } from './windows.ts';

type Distinct = AstSelect['distinct'];

/** What the clauses of a SELECT say, as far as they have been read. */
interface Clauses {
  from: AstFromItem | null;
  where: AstExpression | null;
  groupBy: readonly AstGroupingElement[];
  having: AstExpression | null;
  windows: NamedWindows;
  qualify: AstExpression | null;
}

/**
 * Reads one SELECT, without ORDER BY and what follows it. FROM may stand before it, and without SELECT means
 * `SELECT *`.
 */
export const readSelect = (cursor: Cursor): AstSelect => inWindowScope(cursor, () => readInScope(cursor));

function readInScope(cursor: Cursor): AstSelect {
  const clauses: Clauses = {
    ...{ from: null, where: null, groupBy: [], having: null, windows: NO_WINDOWS, qualify: null },
  };
  const { position: start } = next(cursor);
  const isFromFirst = take(cursor, 'FROM');
  if (isFromFirst) clauses.from = readFrom(cursor, endsClause);
  const { position } = next(cursor);
  const isSelect = take(cursor, 'SELECT');
  const distinct: Distinct = isSelect && readDistinct(cursor);
  const items: readonly AstSelectItem[] = isSelect ? readSelectItems(cursor) : [allColumns(start)];
  readClauses(cursor, clauses, isFromFirst ? 0 : -1);
  const { from, where, groupBy, having, windows, qualify } = clauses;
  checkQualifiedStars(cursor, items, from);
  resolveWindows(cursor, windows);
  cursor.namedWindows = windows;
  const pos = isSelect ? position : start;
  return { kind: 'Select', distinct, items, from, where, groupBy, having, qualify, pos };
}

/** Reads `TABLE s.t`, which is `SELECT * FROM s.t` and has no clauses. */
export function readTable(cursor: Cursor): AstSelect {
  const { position: pos } = next(cursor);
  cursor.at++;
  const { position } = next(cursor);
  const name = { ...readTableName(cursor), alias: null, columnAliases: [], pos: position };
  const clauses = { where: null, groupBy: [], having: null, qualify: null };
  const from: AstFromItem = { kind: 'TableName', ...name };
  // ORDER BY after it has no windows to name.
  cursor.namedWindows = NO_WINDOWS;
  return { kind: 'Select', distinct: false, items: [allColumns(pos)], from, ...clauses, pos };
}

function readDistinct(cursor: Cursor): Distinct {
  if (take(cursor, 'ALL') || !take(cursor, 'DISTINCT')) return false;
  if (nextUpper(cursor) !== 'ON' || upperAt(cursor, cursor.at + 1) !== '(') return true;
  cursor.at += 2;
  return readExpressionsInBrackets(cursor);
}

/** Reads the clauses, each at most once and in the order of SQL; `last` is the place in it of the one before. */
function readClauses(cursor: Cursor, clauses: Clauses, last: number): void {
  for (let rank = last; ;) {
    const keyword = nextUpper(cursor);
    const own = CLAUSES.indexOf(keyword);
    if (own < 0) return;
    if (own <= rank) throw unexpected(cursor, cursor.at, [], 'this clause stands too late or twice');
    rank = own;
    cursor.at++;
    readClause(cursor, clauses, keyword);
  }
}

function readClause(cursor: Cursor, clauses: Clauses, keyword: string): void {
  switch (keyword) {
    case 'FROM':
      clauses.from = readFrom(cursor, endsClause);
      break;
    case 'GROUP':
      require(cursor, 'BY');
      clauses.groupBy = readGroupBy(cursor);
      break;
    case 'WINDOW':
      clauses.windows = readWindowClause(cursor);
      break;
    default: {
      const condition = readExpression(cursor);
      requireClauseEnd(cursor);
      if (keyword === 'WHERE') clauses.where = condition;
      else if (keyword === 'HAVING') clauses.having = condition;
      else clauses.qualify = condition;
    }
  }
}
