import type { AstExpression, AstFromItem, Identifier, Position } from '../ast.ts';
import { nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { readNameList } from './names.ts';
import { AN_OPERATOR, refuse, unexpected, unsupported } from './refusals.ts';

type Join = Extract<AstFromItem, { kind: 'Join' }>;
export type JoinType = Pick<Join, 'join' | 'natural'>;
type Ends = (cursor: Cursor) => boolean;

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['ANTI', 'write WHERE NOT EXISTS (…)'],
  ['ASOF', 'join the row that a subquery with MAX finds'],
  ['POSITIONAL', 'join on ROW_NUMBER() of both sides'],
]);
const NO_SAMPLES = 'write LIMIT';
const STARTS_JOIN: ReadonlySet<string> = new Set([
  ...['JOIN', 'INNER', 'FULL', 'CROSS', 'NATURAL', 'SEMI', 'LEFT', 'RIGHT'],
  ...INSTEAD.keys(),
]);

const AFTER_ITEM = ['JOIN', "','", 'WHERE', 'GROUP BY', 'ORDER BY'];

/** Whether a join is next; LEFT( and RIGHT( are functions. */
export function startsJoin(cursor: Cursor): boolean {
  const upper = nextUpper(cursor);
  const isFunction = (upper === 'LEFT' || upper === 'RIGHT') && upperAt(cursor, cursor.at + 1) === '(';
  return STARTS_JOIN.has(upper) && !isFunction;
}

/** Reads the words up to JOIN. */
export function readJoinType(cursor: Cursor): JoinType {
  const start = cursor.at;
  const natural = take(cursor, 'NATURAL');
  const word = nextUpper(cursor);
  refuseOtherJoin(cursor);
  const outer = word === 'LEFT' || word === 'RIGHT' || word === 'FULL';
  const named = outer || word === 'INNER' || word === 'CROSS' || word === 'SEMI';
  const join = named ? word : 'INNER';
  if (named) cursor.at++;
  refuseOtherJoin(cursor);
  if (outer) take(cursor, 'OUTER');
  if (nextUpper(cursor) !== 'JOIN') {
    throw unexpected(cursor, cursor.at, cursor.at === start ? AFTER_ITEM : ['JOIN']);
  }
  if (natural && (join === 'CROSS' || join === 'SEMI')) throw unexpected(cursor, cursor.at - 1, ['JOIN']);
  cursor.at++;
  return { join, natural };
}

function refuseOtherJoin(cursor: Cursor): void {
  const { at } = cursor;
  const word = nextUpper(cursor);
  const advice = INSTEAD.get(word);
  if (advice !== undefined) throw unsupported(cursor, at, `${word} JOIN`, advice);
  if (word === 'TABLESAMPLE') throw unsupported(cursor, at, 'TABLESAMPLE', NO_SAMPLES);
  if (word === 'AT' && upperAt(cursor, at + 1) === '(') throw unsupported(cursor, at, 'AT (…)');
}

export const needsNoCondition = ({ join, natural }: JoinType): boolean => natural || join === 'CROSS';

/** Reads ON or USING of a join, whose right side stands at `pos`. */
export function readCondition(
  cursor: Cursor,
  type: JoinType,
  pos: Position,
  ends: Ends,
): { readonly on: AstExpression | null; readonly using: readonly Identifier[] } {
  const { join, natural } = type;
  const needsNone = needsNoCondition(type);
  const what = natural ? 'NATURAL JOIN' : `${join} JOIN`;
  const keyword = nextUpper(cursor);
  if (keyword !== 'ON' && keyword !== 'USING') {
    if (needsNone) return { on: null, using: [] };
    if (!endsCondition(cursor, ends)) throw unexpected(cursor, cursor.at, AFTER_ITEM);
    const advice = join === 'SEMI' ? 'add ON …' : 'add ON …, or write CROSS JOIN';
    throw refuse(cursor, pos, `${what} without ON or USING`, advice);
  }
  const condition = keyword === 'ON' ? readOn(cursor, ends) : readUsing(cursor);
  if (needsNone) throw refuse(cursor, pos, `${what} with ON or USING`, 'leave the condition out');
  return condition;
}

function readOn(cursor: Cursor, ends: Ends): ReturnType<typeof readCondition> {
  cursor.at++;
  const on = readExpression(cursor);
  if (!endsCondition(cursor, ends)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return { on, using: [] };
}

const endsCondition = (cursor: Cursor, ends: Ends): boolean =>
  ends(cursor) || startsJoin(cursor) || ['ON', 'USING', ','].includes(nextUpper(cursor));

function readUsing(cursor: Cursor): ReturnType<typeof readCondition> {
  refuseSample(cursor);
  cursor.at++;
  return { on: null, using: readNameList(cursor) };
}

function refuseSample(cursor: Cursor): void {
  if (upperAt(cursor, cursor.at + 1) === 'SAMPLE')
    throw unsupported(cursor, cursor.at, 'USING SAMPLE', NO_SAMPLES);
}

/** Refuses a condition where no join has asked for one; `afterComma` is the index of the item before it, if not joined. */
export function refuseCondition(cursor: Cursor, afterComma?: number): void {
  const keyword = nextUpper(cursor);
  if (keyword !== 'ON' && keyword !== 'USING') return;
  if (keyword === 'USING') refuseSample(cursor);
  const item = afterComma === undefined ? undefined : cursor.tokens[afterComma];
  if (item === undefined) throw unexpected(cursor, cursor.at);
  const advice = 'write JOIN before this table, or WHERE';
  throw refuse(cursor, item.position, 'ON or USING without JOIN', advice);
}
