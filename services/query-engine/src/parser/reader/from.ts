import type { AstFromItem, AstQuery, AstSelect, Identifier, Position } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import {
  readCondition,
  readJoinType,
  needsNoCondition,
  refuseCondition,
  startsJoin,
  type JoinType,
} from './joins.ts';
import { readQueryInParentheses } from './lists.ts';
import { holdsQuery, isCloser, isName } from './lookahead.ts';
import { readIdentifier, readNameList } from './names.ts';
import { unexpected, unsupported } from './refusals.ts';
import { notATableFunction, readTableFunction } from './table-functions.ts';
import { allColumns } from './stars.ts';
import { readTableName } from './table-names.ts';
import { readSample } from './table-sample.ts';

/** Reads the items of FROM up to where `ends` says: joins lean left; commas, which bind looser, are CROSS joins. */
export function readFrom(cursor: Cursor, ends: (cursor: Cursor) => boolean): AstFromItem {
  let all = readJoined(cursor, ends);
  while (take(cursor, ',')) {
    const { at } = cursor;
    countJoin(cursor, at - 1);
    const right = readJoined(cursor, ends, at);
    const cross = { kind: 'Join', join: 'CROSS', natural: false, on: null, using: [] } as const;
    all = { ...cross, left: all, right, pos: all.pos };
  }
  return all;
}

/** Reads an item with what is joined to it, up to a comma; `afterComma` is the index of one that follows a comma. */
function readJoined(cursor: Cursor, ends: (cursor: Cursor) => boolean, afterComma?: number): AstFromItem {
  let left = readItem(cursor);
  refuseCondition(cursor, afterComma);
  while (nextUpper(cursor) !== ',' && !ends(cursor)) left = readJoin(cursor, left, ends);
  return left;
}

/** Reads a join; `isInner` where another, which stands before it, is yet to get its condition. */
function readJoin(
  cursor: Cursor,
  left: AstFromItem,
  ends: (cursor: Cursor) => boolean,
  isInner = false,
): AstFromItem {
  const { at } = cursor;
  const type: JoinType = readJoinType(cursor);
  countJoin(cursor, at);
  const { position } = next(cursor);
  let right = readItem(cursor);
  // In `a JOIN b JOIN c ON … ON …` the first condition is that of the last join.
  while (!needsNoCondition(type) && startsJoin(cursor)) right = readJoin(cursor, right, ends, true);
  const { on, using } =
    isInner && needsNoCondition(type) ? { on: null, using: [] } : readCondition(cursor, type, position, ends);
  if (!isInner) refuseCondition(cursor);
  return { kind: 'Join', ...type, left, right, on, using, pos: left.pos };
}

function countJoin(cursor: Cursor, index: number): void {
  if (++cursor.counts.joins >= PARSER_LIMITS.joinedTablesMax) {
    throw unsupported(cursor, index, `more than ${PARSER_LIMITS.joinedTablesMax} joined tables`);
  }
}

/** Reads a table, a subquery, a function of rows, or joins in parentheses. */
function readItem(cursor: Cursor): AstFromItem {
  const { position: pos } = next(cursor);
  // A function sees the items before it anyway.
  const lateral = take(cursor, 'LATERAL');
  const { at } = cursor;
  if (holdsQuery(cursor, at)) {
    const query = readQueryInParentheses(cursor);
    return { kind: 'DerivedTable', query, lateral, ...readAlias(cursor), pos };
  }
  const called = readTableFunction(cursor);
  if (called !== null) return { ...called, ...readAlias(cursor), pos };
  if (lateral) throw unexpected(cursor, at, ['a subquery', 'generate_series', 'unnest']);
  if (nextUpper(cursor) === '(') return readJoinsInParentheses(cursor);
  const name = readTableName(cursor);
  if (nextUpper(cursor) === '(') throw notATableFunction(cursor, at);
  const named = { kind: 'TableName', ...name, ...readAlias(cursor), pos } as const;
  const sample = readSample(cursor);
  return sample === null ? named : { ...named, sample };
}

function readJoinsInParentheses(cursor: Cursor): AstFromItem {
  const opening = cursor.at;
  const { position: pos } = next(cursor);
  cursor.at++;
  const joined = readJoined(cursor, isCloser);
  const isJoin = joined.kind === 'Join' || upperAt(cursor, opening + 1) === '(';
  if (!isJoin || !isCloser(cursor)) throw unexpected(cursor, cursor.at, ['JOIN']);
  cursor.at++;
  const { alias, columnAliases } = readAlias(cursor);
  if (alias === null) return joined;
  return { kind: 'DerivedTable', query: allOf(joined, pos), lateral: false, alias, columnAliases, pos };
}

/** A join that has a name hides the names inside of it: it is what `(SELECT * FROM …)` is. */
function allOf(from: AstFromItem, pos: Position): AstQuery {
  const clauses = { where: null, groupBy: [], having: null, qualify: null };
  const body: AstSelect = {
    ...{ kind: 'Select', distinct: false, items: [allColumns(pos)], from, ...clauses, pos },
  };
  return { kind: 'Query', with: [], recursive: false, body, orderBy: [], limit: null, offset: null, pos };
}

function readAlias(cursor: Cursor): {
  readonly alias: Identifier | null;
  readonly columnAliases: readonly Identifier[];
} {
  const as = take(cursor, 'AS');
  if (!isName(cursor, cursor.at)) {
    if (as) throw unexpected(cursor, cursor.at, ['an alias']);
    return { alias: null, columnAliases: [] };
  }
  const alias = readIdentifier(cursor);
  return { alias, columnAliases: nextUpper(cursor) === '(' ? readNameList(cursor) : [] };
}
