import { writeChain, writeExpression, writeExpressionList } from './expressions.ts';
import { writeFrom } from './from.ts';
import { writeGroupBy } from './group-by.ts';
import { identifierAt } from './names.ts';
import { findAtLevel, inside, isKeyword, isName, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeStar } from './stars.ts';
import { tokenAt, unexpected, upperAt, type Statement } from './statement.ts';
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

interface Clause extends Span {
  readonly keyword: string;
  /** The index of the keyword. */
  readonly index: number;
}

/**
 * Writes one SELECT, without ORDER BY and what follows it; returns the index after it. FROM may stand before it, and
 * without SELECT means `SELECT *`.
 *
 * The grammar reads columns and FROM items twice, which takes twice as long for each level of queries nested in them.
 * So its only column is the placeholder that tells of DISTINCT, its FROM has only names, conditions and joins, and all
 * else is one chain of calls in its WHERE.
 */
export function writeSelect(scope: Scope, span: Span, allBefore: boolean): number {
  const { statement, draft } = scope;
  const fromFirst = readFromFirst(statement, span);
  const select = fromFirst?.to ?? span.from;
  const all = !isKeyword(statement, select, 'SELECT');
  const pos = tokenAt(statement, all ? span.from : select).position;
  const distinct = isKeyword(statement, select + 1, 'DISTINCT');
  const on = distinct && isKeyword(statement, select + 2, 'ON') && upperAt(statement, select + 3) === '(';
  let from = select + (distinct || isKeyword(statement, select + 1, 'ALL') ? 2 : 1);
  if (on) from = inside(statement, select + 3).to + 1;
  const items: Span = all
    ? { from: select, to: select }
    : { from, to: clauseEnd(statement, { from, to: span.to }) };
  const clauses = readClauses(statement, { from: items.to, to: span.to }, fromFirst);

  const nested: (() => void)[] = [];
  draft.raw('SELECT', select);
  draft.call({ kind: 'SelectHead', distinct: on ? 'ON' : distinct, allBefore, pos }, select, () => undefined);
  for (const clause of clauses.filter(({ keyword }) => keyword === 'FROM')) {
    draft.raw('FROM', clause.index);
    writeFrom(scope, clause, nested);
  }
  draft.raw('WHERE', select);
  if (on) {
    const expressions = inside(statement, select + 3);
    draft.call({ kind: 'DistinctOn', pos }, select + 3, () => writeExpressionList(scope, expressions));
  }
  draft.call({ kind: 'Items', pos }, select, () => {
    if (all) writeStar(scope, { from: span.from, to: span.from }, span.from - 1);
    else writeItems(scope, items);
  });
  for (const writeNested of nested) writeNested();
  const havings = clauses.filter(({ keyword }) => IN_HAVING.includes(keyword));
  for (const clause of clauses) {
    if (clause === havings[0]) draft.raw('HAVING', clause.index);
    writeClause(scope, clause);
  }
  return Math.max(clauses.at(-1)?.to ?? 0, items.to);
}

/** The FROM that stands before SELECT, or in its place. */
function readFromFirst(statement: Statement, span: Span): Clause | undefined {
  if (!isKeyword(statement, span.from, 'FROM')) return undefined;
  const from = span.from + 1;
  return { keyword: 'FROM', index: span.from, from, to: clauseEnd(statement, { from, to: span.to }) };
}

/** The clauses that start a span, each at most once and in the order of SQL. */
function readClauses(statement: Statement, span: Span, fromFirst: Clause | undefined): readonly Clause[] {
  const clauses: Clause[] = fromFirst === undefined ? [] : [fromFirst];
  let rank = clauses.length - 1;
  for (let index = span.from; index < span.to;) {
    const keyword = upperAt(statement, index);
    const own = CLAUSES.indexOf(keyword);
    if (own < 0) break;
    if (own <= rank) throw unexpected(statement, index, [], 'this clause stands too late or twice');
    const grouped = keyword === 'GROUP';
    if (grouped && upperAt(statement, index + 1) !== 'BY') throw unexpected(statement, index + 1, ['BY']);
    const from = index + (grouped ? 2 : 1);
    const to = clauseEnd(statement, { from, to: span.to });
    clauses.push({ keyword, index, from, to });
    rank = own;
    index = to;
  }
  return clauses;
}

function writeClause(scope: Scope, clause: Clause): void {
  const { statement, draft } = scope;
  const { keyword, index } = clause;
  const { position: pos } = tokenAt(statement, index);
  if (keyword === 'GROUP') {
    draft.raw('GROUP BY', index);
    writeGroupBy(scope, clause);
  } else if (keyword === 'WINDOW') {
    writeWindowClause(scope, index, clause);
  } else if (keyword !== 'FROM') {
    const kind = keyword === 'WHERE' ? 'Where' : keyword === 'HAVING' ? 'Having' : 'Qualify';
    draft.call({ kind, pos }, index, () => writeExpression(scope, clause));
  }
}

function writeItems(scope: Scope, items: Span): void {
  splitAtCommas(scope.statement, items).forEach((item, index) => {
    if (index > 0) scope.draft.raw(',', item.from);
    writeItem(scope, item);
  });
}

function writeItem(scope: Scope, item: Span): void {
  const { statement, draft } = scope;
  const star = findStar(statement, item);
  if (star >= 0) {
    writeStar(scope, item, star);
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
  draft.operand({ kind: 'Alias', identifier: identifierAt(statement, alias), index: end }, alias);
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
