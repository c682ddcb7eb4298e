/** Calls that mean something else by the kind of a constant in them, as PostgreSQL has it. */
import {
  castTo,
  comparison,
  elementsOf,
  expression,
  functionCall,
  literal,
} from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import { isOfNumbers, numberFormat } from '../logical/functions/number-format.ts';
import { isFormatProblem } from '../logical/functions/postgres-format.ts';
import { countGroups } from '../logical/regex-groups.ts';
import type { Position } from '../parser/ast.ts';
import { BINDER_LIMITS } from './limits.ts';
import { isNumberText } from './number-literal.ts';

/** Where a call has no meaning here: what to throw. */
type Fail = (argument: number, message: string, hint: string) => Error;

interface GivenCall {
  /** As it is written, upper-case. */
  readonly name: string;
  readonly values: readonly Expression[];
  readonly pos: Position;
  /** Whether the statement is read by PostgreSQL's rules. */
  readonly isPostgresql: boolean;
}

type Reader = (call: GivenCall, fail: Fail) => Expression | null;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['SUBSTRING', partOfText],
  ['SUBSTR', partOfText],
  ['ARRAY_LENGTH', arrayLength],
  ['FROM_UNIXTIME', fromUnixTime],
  ['REGEXP_REPLACE', wholeMatch],
  ['REGEXP_MATCHES', onlyWhether],
  ['REGEXP_LIKE', onlyWhether],
  ['REGEXP_MATCH', firstMatch],
  ['TIMEZONE', ofThisMoment],
  ['WIDTH_BUCKET', amongThresholds],
  ['TO_CHAR', ofNumber],
  ...['JSON_BUILD_OBJECT', 'JSONB_BUILD_OBJECT', 'JSON_OBJECT'].map((name): [string, Reader] => [
    name,
    pairs,
  ]),
]);

/** The call's other meaning; null where it has none. */
export function otherMeaning(call: GivenCall, fail: Fail): Expression | null {
  return READERS.get(call.name)?.(call, fail) ?? null;
}

function partOfText(call: GivenCall, fail: Fail): Expression | null {
  return substringOfPattern(call, fail) ?? (call.isPostgresql ? substringFrom(call) : null);
}

/**
 * `SUBSTR(x, -1, 3)`: places before the first one count, and hold nothing, where we count from the end. NULL and places after
 * it are as ours.
 */
function substringFrom({ values, pos }: GivenCall): Expression | null {
  const [text, start, length] = values;
  if (text === undefined || start === undefined || isPositive(start)) return null;
  const number = (value: string): Expression => literal({ type: 'number', text: value }, pos);
  const left =
    length === undefined
      ? []
      : [
          expression({
            ...{ kind: 'Arithmetic', operator: '-', right: number('1'), pos },
            left: expression({ kind: 'Arithmetic', operator: '+', left: length, right: start, pos }),
          }),
        ];
  const from = (first: Expression, count: readonly Expression[]): Expression =>
    functionCall('SUBSTRING', [text, first, ...count], pos);
  const none = from(number('1'), [number('0')]);
  const beyond = left.map((rest) => ({ when: comparison('<', rest, number('1'), pos), then: none }));
  const isBefore = comparison('<', start, number('1'), pos);
  const before: Expression =
    beyond.length === 0
      ? from(number('1'), [])
      : expression({
          kind: 'Case',
          operand: null,
          branches: beyond,
          otherwise: from(number('1'), left),
          pos,
        });
  return expression({
    ...{ kind: 'Case', operand: null, pos },
    branches: [{ when: isBefore, then: before }],
    otherwise: from(start, length === undefined ? [] : [length]),
  });
}

const isPositive = (node: Expression): boolean =>
  node.kind === 'Literal' && (node.value.type !== 'number' || Number(node.value.text) >= 1);

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
  const group = literal({ type: 'number', text: countGroups(value) > 0 ? '1' : '0' }, pos);
  const when = functionCall('REGEXP_MATCHES', [text, pattern], pos);
  const then = functionCall('REGEXP_EXTRACT', [text, pattern, group], pos);
  return expression({ kind: 'Case', operand: null, branches: [{ when, then }], otherwise: null, pos });
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
  return functionCall('TIMEZONE', [zone, castTo(operand, 'TIMESTAMPTZ', pos)], pos);
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

/** `\\&` in a replacement is all that matched; RE2 writes it `\\0`. */
function wholeMatch({ values, pos }: GivenCall): Expression | null {
  const [text, pattern, by, ...options] = values;
  if (text === undefined || pattern === undefined || by?.kind !== 'Literal' || by.value.type !== 'text')
    return null;
  const value = by.value.value.replaceAll(/\\([\s\S])/g, (whole, next) => (next === '&' ? '\\0' : whole));
  if (value === by.value.value) return null;
  return functionCall(
    'REGEXP_REPLACE',
    [text, pattern, literal({ type: 'text', value }, by.pos), ...options],
    pos,
  );
}

const hasOption = (option: Expression | undefined, letter: string): boolean =>
  option?.kind === 'Literal' && option.value.type === 'text' && option.value.value.includes(letter);

/** In PostgreSQL REGEXP_MATCHES makes a row of each match. */
function onlyWhether({ name, values }: GivenCall, fail: Fail): null {
  if (!hasOption(values[2], 'g')) return null;
  const hint = 'REGEXP_MATCH gives the parts of the first match, REGEXP_REPLACE takes the option g';
  throw fail(2, `${name} tells whether a pattern matches, and takes no option g`, hint);
}

function firstMatch({ values }: GivenCall, fail: Fail): null {
  const [, pattern, options] = values;
  if (hasOption(options, 'g'))
    throw fail(2, 'REGEXP_MATCH gives the first match, and takes no option g', 'leave it out');
  const isLong =
    pattern?.kind === 'Literal' &&
    pattern.value.type === 'text' &&
    countGroups(pattern.value.value) > BINDER_LIMITS.matchGroupsMax;
  if (isLong)
    throw fail(
      1,
      `A pattern of REGEXP_MATCH has at most ${BINDER_LIMITS.matchGroupsMax} groups`,
      'write (?:…) where it catches nothing',
    );
  return null;
}

function fromUnixTime({ values }: GivenCall, fail: Fail): null {
  if (values.length < 2) return null;
  throw fail(1, 'FROM_UNIXTIME takes 1 argument, not 2', "write STRFTIME(FROM_UNIXTIME(x), '%Y-%m-%d')");
}

/** `WIDTH_BUCKET(x, ARRAY[…])`: how many of the thresholds are not above it. */
function amongThresholds({ values, pos }: GivenCall, fail: Fail): Expression | null {
  const [operand, list] = values;
  if (values.length === 3)
    throw fail(2, 'WIDTH_BUCKET takes 2 or 4 arguments, not 3', 'for example WIDTH_BUCKET(x, 0, 100, 10)');
  if (operand === undefined || list === undefined || values.length !== 2) return null;
  const elements = elementsOf(list);
  const thresholds = elements?.map(constantNumber) ?? [];
  const isAscending = thresholds.every((one, i) => one !== null && one >= (thresholds[i - 1] ?? one));
  if (elements === null || !isAscending)
    throw fail(
      1,
      'The thresholds of WIDTH_BUCKET must be a list of constant numbers, the least first',
      'for example ARRAY[10, 20, 30]',
    );
  const bucket = (place: number): Expression => literal({ type: 'number', text: String(place) }, pos);
  const branches = [
    {
      when: expression({ kind: 'IsNull', operand, negated: false, pos }),
      then: literal({ type: 'null' }, pos),
    },
    ...elements.map((right, i) => ({ when: comparison('<', operand, right, pos), then: bucket(i) })),
  ];
  return expression({ kind: 'Case', operand: null, branches, otherwise: bucket(elements.length), pos });
}

function constantNumber(node: Expression): number | null {
  return node.kind === 'Literal' && node.value.type === 'number' ? Number(node.value.text) : null;
}

/** `TO_CHAR(x, '999.99')`: a format of times has no digits. */
function ofNumber({ values, pos }: GivenCall, fail: Fail): Expression | null {
  const [, format] = values;
  if (format?.kind !== 'Literal' || format.value.type !== 'text' || !isOfNumbers(format.value.value))
    return null;
  const made = numberFormat(format.value.value);
  if (isFormatProblem(made))
    throw fail(1, `The format of TO_CHAR has a part that is not supported: ${made.part}`, made.advice);
  return functionCall('NUMBER_TO_CHAR', values, pos);
}
