import type { FromMark, JoinMark } from '../marks.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { writeExpression } from './expressions.ts';
import { identifierAt, readNameList } from './names.ts';
import { writeQueryArgument } from './queries.ts';
import { findAtLevel, holdsQuery, inside, isKeyword, isName, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { readTableName } from './table-names.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

const FIRST: JoinMark = { type: 'FIRST', natural: false };
const OTHER_JOINS = ['ANTI', 'ASOF', 'POSITIONAL'];
const INSTEAD_OF_JOIN: Readonly<Record<string, string>> = {
  ANTI: 'write WHERE NOT EXISTS (…)',
  ASOF: 'join the row that a subquery with MAX finds',
  POSITIONAL: 'join on ROW_NUMBER() of both sides',
};
const NO_SAMPLES = 'write LIMIT';
const NO_LATERAL = 'put the subquery into the SELECT list, or group it and join';

/**
 * Writes the items of FROM. The grammar arranges them and their ON and USING; CROSS, NATURAL and SEMI, which it takes for
 * aliases, travel in the placeholders of the items. What writes a nested query, of which only the placeholder stands
 * in FROM, is added to `nested`.
 */
export function writeFrom(scope: Scope, clause: Span, nested: (() => void)[]): void {
  const { statement, draft } = scope;
  let at = writeItem(scope, clause, FIRST, nested);
  while (at < clause.to) {
    const upper = upperAt(statement, at);
    if (upper === ',') {
      countJoin(scope, at);
      // The grammar would take a comma after ON for a list of conditions.
      draft.raw('INNER JOIN', at);
      at = writeItem(scope, { from: at + 1, to: clause.to }, FIRST, nested);
    } else if (upper === 'ON') {
      const to = conditionEnd(statement, { from: at + 1, to: clause.to });
      draft.raw('ON', at);
      writeExpression(scope, { from: at + 1, to });
      at = to;
    } else if (upper === 'USING') {
      at = writeUsing(scope, at);
    } else {
      const { join, next } = readJoin(statement, at);
      countJoin(scope, at);
      const isPlain = join.type === 'CROSS' || join.type === 'SEMI';
      draft.raw(isPlain ? 'INNER JOIN' : `${join.type} JOIN`, at);
      at = writeItem(scope, { from: next, to: clause.to }, join, nested);
    }
  }
}

function countJoin(scope: Scope, index: number): void {
  if (++scope.counts.joins >= PARSER_LIMITS.joinedTablesMax) {
    throw unsupported(scope.statement, index, `more than ${PARSER_LIMITS.joinedTablesMax} joined tables`);
  }
}

function readJoin(statement: Statement, index: number): { readonly join: JoinMark; readonly next: number } {
  let at = index;
  const natural = isKeyword(statement, at, 'NATURAL');
  if (natural) at++;
  const word = upperAt(statement, at);
  refuseOtherJoin(statement, at);
  const outer = word === 'LEFT' || word === 'RIGHT' || word === 'FULL';
  const named = outer || word === 'INNER' || word === 'CROSS' || word === 'SEMI';
  const type = named ? word : 'INNER';
  if (type === word) at++;
  refuseOtherJoin(statement, at);
  if (outer && isKeyword(statement, at, 'OUTER')) at++;
  if (!isKeyword(statement, at, 'JOIN')) {
    const expected = at === index ? ['JOIN', "','", 'WHERE', 'GROUP BY', 'ORDER BY'] : ['JOIN'];
    throw unexpected(statement, at, expected);
  }
  if (natural && (type === 'CROSS' || type === 'SEMI')) throw unexpected(statement, at - 1, ['JOIN']);
  return { join: { type, natural }, next: at + 1 };
}

function refuseOtherJoin(statement: Statement, index: number): void {
  const word = upperAt(statement, index);
  if (OTHER_JOINS.includes(word)) throw unsupported(statement, index, `${word} JOIN`, INSTEAD_OF_JOIN[word]);
  if (word === 'TABLESAMPLE') throw unsupported(statement, index, 'TABLESAMPLE', NO_SAMPLES);
  if (word === 'AT' && upperAt(statement, index + 1) === '(') throw unsupported(statement, index, 'AT (…)');
}

function writeUsing(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  if (isKeyword(statement, index + 1, 'SAMPLE'))
    throw unsupported(statement, index, 'USING SAMPLE', NO_SAMPLES);
  if (upperAt(statement, index + 1) !== '(') throw unexpected(statement, index + 1, ["'('"]);
  draft.raw('USING', index);
  draft.raw('(', index + 1);
  readNameList(statement, index + 1).forEach((identifier, column) => {
    if (column > 0) draft.raw(',', index + 1);
    draft.name({ kind: 'Alias', identifier, index }, index + 2 + 2 * column);
  });
  draft.raw(')', inside(statement, index + 1).to);
  return inside(statement, index + 1).to + 1;
}

function writeItem(scope: Scope, span: Span, join: JoinMark, nested: (() => void)[]): number {
  const { statement, draft } = scope;
  const { from } = span;
  const pos = tokenAt(statement, from).position;
  if (from >= span.to) throw unexpected(statement, from, ['a table']);
  if (isKeyword(statement, from, 'LATERAL')) throw unsupported(statement, from, 'LATERAL', NO_LATERAL);
  if (upperAt(statement, from) !== '(') {
    const { schema, table, next } = readTableName(statement, span);
    if (upperAt(statement, next) === '(')
      throw unsupported(statement, from, 'table functions', 'FROM takes tables and subqueries');
    const { alias, columnAliases, next: end } = readAlias(statement, next, span.to);
    draft.name({ kind: 'Table', schema, table, join, alias, columnAliases, pos }, from);
    return end;
  }
  const closing = inside(statement, from).to;
  const nest = (mark: FromMark, write: () => void): void => {
    draft.name(mark, from);
    nested.push(() => draft.call({ kind: 'Nested', pos }, from, write));
  };
  if (holdsQuery(statement, from)) {
    const { alias, columnAliases, next } = readAlias(statement, closing + 1, span.to);
    nest({ kind: 'Derived', join, alias, columnAliases, pos }, () => writeQueryArgument(scope, from));
    return next;
  }
  const { alias, next } = readAlias(statement, closing + 1, span.to);
  if (alias !== null)
    throw unsupported(
      statement,
      closing + 1,
      'an alias for a join in parentheses',
      'write (SELECT * FROM …)',
    );
  nest({ kind: 'NestedJoin', join, pos }, () => writeNestedJoin(scope, from));
  return next;
}

function writeNestedJoin(scope: Scope, opening: number): void {
  const { statement, draft } = scope;
  const span = inside(statement, opening);
  const joins = ['JOIN', ','];
  const isJoin = findAtLevel(statement, span, (index) => joins.includes(upperAt(statement, index))) >= 0;
  if (!isJoin && upperAt(statement, span.from) !== '(') throw unexpected(statement, span.to, ['JOIN']);
  const comma = findAtLevel(statement, span, (index) => upperAt(statement, index) === ',');
  if (comma >= 0) throw unexpected(statement, comma, ['JOIN']);
  draft.enclosed(opening, () => {
    const nested: (() => void)[] = [];
    const pos = tokenAt(statement, opening).position;
    draft.raw('SELECT', opening);
    draft.call({ kind: 'SelectHead', distinct: false, allBefore: false, pos }, opening, () => undefined);
    draft.raw('FROM', opening);
    writeFrom(scope, span, nested);
    if (nested.length > 0) draft.raw('WHERE', opening);
    for (const writeNested of nested) writeNested();
  });
}

function readAlias(
  statement: Statement,
  index: number,
  to: number,
): Pick<FromMark & { kind: 'Derived' }, 'alias' | 'columnAliases'> & { readonly next: number } {
  const as = index < to && isKeyword(statement, index, 'AS');
  const at = as ? index + 1 : index;
  if (at >= to || !isName(statement, at)) {
    if (as) throw unexpected(statement, at, ['an alias']);
    return { alias: null, columnAliases: [], next: at };
  }
  const alias = identifierAt(statement, at);
  if (upperAt(statement, at + 1) !== '(' || at + 1 >= to) return { alias, columnAliases: [], next: at + 1 };
  return { alias, columnAliases: readNameList(statement, at + 1), next: inside(statement, at + 1).to + 1 };
}

/** An ON condition ends where the next join, or part of FROM, starts. LEFT( and RIGHT( are functions. */
function conditionEnd(statement: Statement, span: Span): number {
  const end = findAtLevel(statement, span, (index) => {
    const upper = upperAt(statement, index);
    if (upper === ',') return true;
    if (isKeyword(statement, index, 'LEFT', 'RIGHT')) return upperAt(statement, index + 1) !== '(';
    return isKeyword(
      statement,
      index,
      'JOIN',
      'INNER',
      'FULL',
      'CROSS',
      'NATURAL',
      'ON',
      'USING',
      'SEMI',
      ...OTHER_JOINS,
    );
  });
  return end < 0 ? span.to : end;
}
