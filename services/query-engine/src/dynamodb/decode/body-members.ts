import type { Sliced } from '../../scheduling/sliced-work.ts';
import { isObject } from './attribute-value.ts';
import { MalformedBodyError } from './malformed-body.ts';
import { stringEnd } from './skip-value.ts';

/** What an answer says besides its items, as parsed JSON; absent members are undefined. */
export type BodyMembers = Readonly<Record<string, unknown>>;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export interface MemberVisitor {
  /** Is given a name and where its value starts; answers where the value ends, or -1. */
  visit(name: string, valueAt: number): Sliced<number>;
}

/**
 * Goes through the members of a JSON object in compact form that starts at `at`. Answers the position after the object, or
 * -1.
 */
export function* visitMembers(body: Buffer, at: number, visitor: MemberVisitor): Sliced<number> {
  if (body[at] !== OPEN_BRACE) return -1;
  if (body[at + 1] === CLOSE_BRACE) return at + 2;
  for (let next = at + 1; ; next++) {
    if (body[next] !== QUOTE) return -1;
    const end = stringEnd(body, next + 1);
    if (end < 0 || body[end + 1] !== COLON) return -1;
    const name = body.toString('utf8', next + 1, end);
    if (name.includes('\\')) return -1;
    next = yield* visitor.visit(name, end + 2);
    if (next < 0) return -1;
    const after = body[next];
    if (after === CLOSE_BRACE) return next + 1;
    if (after !== COMMA) return -1;
  }
}

/** The position after any JSON value; its inside is not checked, `JSON.parse` does that. -1 where the body ends first. */
export function skipJson(body: Buffer, at: number): number {
  let depth = 0;
  for (let next = at; next < body.length; next++) {
    const unit = body[next];
    if (unit === QUOTE) {
      next = stringEnd(body, next + 1);
      if (next < 0) return -1;
      if (depth === 0) return next + 1;
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      if (depth === 0) return next;
      if (--depth === 0) return next + 1;
    } else if (unit === COMMA && depth === 0) return next;
  }
  return -1;
}

/** An answer's key to go on from, in DynamoDB's JSON; null at the end. */
export function lastEvaluatedKeyOf(members: BodyMembers): Readonly<Record<string, unknown>> | null {
  const key = members['LastEvaluatedKey'];
  if (key === undefined || key === null) return null;
  if (!isObject(key)) throw new MalformedBodyError('LastEvaluatedKey is no object');
  return key;
}

/** A count of the answer, or null where it says none. */
export function countOf(members: BodyMembers, name: 'Count' | 'ScannedCount'): number | null {
  const count = members[name];
  if (count === undefined || count === null) return null;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new MalformedBodyError(`${name} is no count`);
  return count;
}

/** What the call consumed, in half read units (DynamoDB's least); BatchGetItem's is a list over tables. */
export function halfUnitsOf(members: BodyMembers): number {
  const consumed = members['ConsumedCapacity'];
  if (consumed === undefined || consumed === null) return 0;
  const list: readonly unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  let halfUnits = 0;
  for (const entry of list) {
    const units = isObject(entry) ? (entry['CapacityUnits'] ?? 0) : undefined;
    if (typeof units !== 'number' || !(units >= 0))
      throw new MalformedBodyError('CapacityUnits is no number');
    halfUnits += Math.round(units * 2);
  }
  return halfUnits;
}
