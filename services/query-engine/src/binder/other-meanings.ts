/** Calls that mean something else by the kind of a constant in them, as PostgreSQL has it. */
import { expression, functionCall, literal } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { Position } from '../parser/ast.ts';
import { isNumberText } from './number-literal.ts';

/** Where a call has no meaning here: what to throw. */
type Fail = (argument: number, message: string, hint: string) => Error;

interface GivenCall {
  /** As it is written, upper-case. */
  readonly name: string;
  readonly values: readonly Expression[];
  readonly pos: Position;
}

type Reader = (call: GivenCall, fail: Fail) => Expression | null;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['SUBSTRING', substringOfPattern],
  ['SUBSTR', substringOfPattern],
  ['ARRAY_LENGTH', arrayLength],
  ['FROM_UNIXTIME', fromUnixTime],
  ['TIMEZONE', ofThisMoment],
  ...['JSON_BUILD_OBJECT', 'JSONB_BUILD_OBJECT', 'JSON_OBJECT'].map((name): [string, Reader] => [
    name,
    pairs,
  ]),
]);

/** The call's other meaning; null where it has none. */
export function otherMeaning(call: GivenCall, fail: Fail): Expression | null {
  return READERS.get(call.name)?.(call, fail) ?? null;
}

/** `SUBSTRING(x FROM 'o.b')`: what a regular expression matches, or the group in it; NULL where it matches nothing. */
function substringOfPattern({ values, pos }: GivenCall, fail: Fail): Expression | null {
  const [text, pattern] = values;
  if (text === undefined || pattern?.kind !== 'Literal' || pattern.value.type !== 'text') return null;
  const { value } = pattern.value;
  if (isNumberText(value)) return null;
  if (values.length > 2) {
    const hint = 'write REGEXP_EXTRACT(text, pattern)';
    throw fail(1, 'SUBSTRING with a pattern of SIMILAR TO is not supported', hint);
  }
  const group = literal({ type: 'number', text: hasGroup(value) ? '1' : '0' }, pos);
  const when = functionCall('REGEXP_MATCHES', [text, pattern], pos);
  const then = functionCall('REGEXP_EXTRACT', [text, pattern, group], pos);
  return expression({ kind: 'Case', operand: null, branches: [{ when, then }], otherwise: null, pos });
}

/** Whether a regular expression has brackets that catch what they match. */
function hasGroup(pattern: string): boolean {
  let isInSet = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') at++;
    else if (isInSet) isInSet = character !== ']';
    else if (character === '[') {
      isInSet = true;
      // A bracket that comes first in a set is one of its characters.
      if (pattern.charAt(at + 1) === '^') at++;
      if (pattern.charAt(at + 1) === ']') at++;
    } else if (character === '(' && pattern.charAt(at + 1) !== '?') return true;
  }
  return false;
}

/** `ARRAY_LENGTH(list, 1)`: of an empty list NULL. */
function arrayLength({ values, pos }: GivenCall, fail: Fail): Expression | null {
  const [list, dimension] = values;
  if (list === undefined || dimension?.kind !== 'Literal' || dimension.value.type !== 'number') return null;
  if (dimension.value.text !== '1')
    throw fail(
      1,
      'ARRAY_LENGTH counts the elements of dimension 1',
      'of a list inside: ARRAY_LENGTH(list[0])',
    );
  const length = functionCall('JSON_ARRAY_LENGTH', [list], pos);
  return functionCall('NULLIF', [length, literal({ type: 'number', text: '0' }, pos)], pos);
}

/** `NOW() AT TIME ZONE 'Europe/Paris'`: the moment is no time that clocks showed there. */
function ofThisMoment({ values, pos }: GivenCall): Expression | null {
  const [zone, operand] = values;
  if (zone === undefined || operand?.kind !== 'FunctionCall' || operand.name !== 'CURRENT_TIMESTAMP')
    return null;
  const instant = expression({ kind: 'Cast', operand, sqlType: 'TIMESTAMPTZ', tryCast: false, pos });
  return functionCall('TIMEZONE', [zone, instant], pos);
}

function pairs({ values }: GivenCall, fail: Fail): null {
  if (values.length % 2 === 0) return null;
  const hint = "for example JSON_BUILD_OBJECT('name', name, 'city', city)";
  throw fail(
    values.length - 1,
    'JSON_BUILD_OBJECT takes names and values in turns, and this name has no value',
    hint,
  );
}

function fromUnixTime({ values }: GivenCall, fail: Fail): null {
  if (values.length < 2) return null;
  throw fail(1, 'FROM_UNIXTIME takes 1 argument, not 2', "write STRFTIME(FROM_UNIXTIME(x), '%Y-%m-%d')");
}
