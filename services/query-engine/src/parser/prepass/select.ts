import { writeChain, writeExpression, writeExpressionList } from './expressions.ts';
import { writeFrom } from './from.ts';
import { writeGroupBy } from './group-by.ts';
import { identifierAt } from './names.ts';
import { findAtLevel, inside, isKeyword, isName, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';
import { writeWindowClause } from './windows.ts';

const CLAUSES = ['FROM', 'WHERE', 'GROUP', 'HAVING', 'WINDOW', 'QUALIFY'];
const AFTER_SELECT = [
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'INTO',
  'FOR',
  'SELECT',
];
/** Clauses that the grammar lacks or cannot hold beside HAVING travel as one chain in its HAVING. */
const IN_HAVING = ['HAVING', 'WINDOW', 'QUALIFY'];

/**
 * Writes one SELECT, without ORDER BY and what follows it; returns the index after it. The grammar checks which
 * clauses stand where; its first column is always the placeholder that tells of DISTINCT.
 */
export function writeSelect(scope: Scope, span: Span, allBefore: boolean): number {
  const { statement } = scope;
  let at = writeSelectList(scope, span, allBefore);
  let having = -1;
  while (at < span.to && CLAUSES.includes(upperAt(statement, at))) {
    const keyword = upperAt(statement, at);
    const rank = IN_HAVING.indexOf(keyword);
    if (rank >= 0 && rank <= having)
      throw unexpected(statement, at, [], 'this clause stands too late or twice');
    const grouped = keyword === 'GROUP';
    if (grouped && upperAt(statement, at + 1) !== 'BY') throw unexpected(statement, at + 1, ['BY']);
    const from = at + (grouped ? 2 : 1);
    const clause: Span = { from, to: clauseEnd(statement, { from, to: span.to }) };
    writeClause(scope, at, clause, having >= 0);
    having = Math.max(having, rank);
    at = clause.to;
  }
  return at;
}

function writeClause(scope: Scope, index: number, clause: Span, havingBefore: boolean): void {
  const { statement, draft } = scope;
  const { upper: keyword, position: pos } = tokenAt(statement, index);
  if (havingBefore && !IN_HAVING.includes(keyword))
    throw unexpected(statement, index, [], 'this clause stands too late');
  if (IN_HAVING.includes(keyword)) {
    if (!havingBefore) draft.raw('HAVING', index);
  } else {
    draft.raw(keyword === 'GROUP' ? 'GROUP BY' : keyword, index);
  }
  switch (keyword) {
    case 'FROM':
      return writeFrom(scope, clause);
    case 'WHERE':
      return writeExpression(scope, clause);
    case 'GROUP':
      return writeGroupBy(scope, clause);
    case 'WINDOW':
      return writeWindowClause(scope, index, clause);
    default:
      draft.call({ kind: keyword === 'HAVING' ? 'Having' : 'Qualify', pos }, index, () => {
        writeExpression(scope, clause);
      });
  }
}

function writeSelectList(scope: Scope, span: Span, allBefore: boolean): number {
  const { statement, draft } = scope;
  const select = span.from;
  const pos = tokenAt(statement, select).position;
  const distinct = isKeyword(statement, select + 1, 'DISTINCT');
  const on = distinct && isKeyword(statement, select + 2, 'ON') && upperAt(statement, select + 3) === '(';
  let from = select + (distinct || isKeyword(statement, select + 1, 'ALL') ? 2 : 1);
  if (on) from = inside(statement, select + 3).to + 1;
  const items: Span = { from, to: clauseEnd(statement, { from, to: span.to }) };

  draft.raw('SELECT', select);
  draft.call({ kind: 'SelectHead', distinct: on ? 'ON' : distinct, allBefore, pos }, select, () => {
    if (on) writeExpressionList(scope, inside(statement, select + 3));
  });
  for (const item of splitAtCommas(statement, items)) {
    draft.raw(',', item.from);
    writeItem(scope, item);
  }
  return items.to;
}

function writeItem(scope: Scope, item: Span): void {
  const { statement, draft } = scope;
  const star = findStar(statement, item);
  if (star >= 0) {
    const qualifier = [];
    for (let at = item.from; at < star; at += 2) qualifier.push(identifierAt(statement, at));
    if (
      isKeyword(statement, star + 1, 'EXCLUDE', 'REPLACE', 'RENAME') &&
      upperAt(statement, star + 2) !== ''
    ) {
      throw unsupported(statement, star + 1, `* ${upperAt(statement, star + 1)}`, 'name the columns');
    }
    if (star + 1 < item.to) throw unexpected(statement, star + 1, ["','", 'FROM']);
    if (qualifier.length > 1) {
      throw unsupported(
        statement,
        item.from,
        '* after a name with a dot',
        'write the alias or the name of the table: t.*',
      );
    }
    draft.name({ kind: 'Star', qualifier, pos: tokenAt(statement, item.from).position }, item.from);
    return;
  }
  draft.operator({ kind: 'Item', ...item, pos: tokenAt(statement, item.from).position }, item.from);
  const end = writeChain(scope, item);
  const as = end < item.to && isKeyword(statement, end, 'AS');
  const alias = as ? end + 1 : end;
  if (alias === item.to && !as) return;
  const { type } = tokenAt(statement, alias);
  if (alias >= item.to || (as ? type !== 'word' && type !== 'name' : !isName(statement, alias))) {
    throw unexpected(statement, alias, as ? ['a name'] : ["','", 'FROM', 'an operator']);
  }
  draft.raw('AS', alias);
  draft.name({ kind: 'Alias', identifier: identifierAt(statement, alias), index: end }, alias);
  if (alias + 1 < item.to) throw unexpected(statement, alias + 1, ["','", 'FROM']);
}

/** The index of the star of `*`, `t.*`, `s.t.*`; -1 if the item is an expression. */
function findStar(statement: Statement, { from, to }: Span): number {
  let at = from;
  while (at < to && upperAt(statement, at + 1) === '.' && isName(statement, at)) at += 2;
  return at < to && upperAt(statement, at) === '*' ? at : -1;
}

/** Where the next clause starts; the GROUP of WITHIN GROUP starts none, and after AS every word is a name. */
function clauseEnd(statement: Statement, span: Span): number {
  const end = findAtLevel(statement, span, (index) => {
    if (!isKeyword(statement, index, ...CLAUSES, ...AFTER_SELECT)) return false;
    const before = upperAt(statement, index - 1);
    return before !== 'AS' && !(before === 'WITHIN' && upperAt(statement, index + 1) === '(');
  });
  return end < 0 ? span.to : end;
}
