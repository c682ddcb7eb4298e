/**
 * Values of constants at another time than the one that they are known of, without evaluating them: `CURRENT_DATE` is the same
 * on the same day, and `now() - INTERVAL '7 days'` is later by as much as the time is.
 */
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { isClock } from '../../logical/reads-clock.ts';
import type { StatementTime } from '../../logical/statement-time.ts';
import { childrenOf, subqueryOf } from '../../logical/visit.ts';
import { instantOfText, timestampOf } from '../turned-around/instant.ts';
import { intervalOf } from '../turned-around/interval.ts';
import { partOfTime } from '../turned-around/part-of-time.ts';
import { constantText } from '../turned-around/rules/text-conditions.ts';

/** Null where it has to be evaluated. */
export function valueAtAnotherTime(
  constant: Expression,
  value: LiteralValue,
  before: StatementTime,
  now: StatementTime,
): LiteralValue | null {
  const length = charactersSeen(constant);
  if (now.slice(0, length) === before.slice(0, length)) return value;
  return isClockMoved(constant) ? moved(value, before, now) : null;
}

/** Characters of `2026-11-20 12:34:56.789` that say the day, and what is smaller. */
const DAY = 10;
const [HOUR, MINUTE, SECOND] = [DAY + 3, DAY + 6, DAY + 9];
const ALL = DAY + 13;

/** Characters that functions see of a time, by the unit that they name or are named by, in lower case. */
const SEEN_BY_UNIT: Readonly<Record<string, number>> = Object.freeze({
  ...Object.fromEntries(
    'date last_day year quarter month week day isoyear isodow dow doy dayofweek dayofyear monthname dayname'
      .split(' ')
      .map((unit) => [unit, DAY]),
  ),
  ...{ hour: HOUR, minute: MINUTE, second: SECOND },
});
/** Characters that STRFTIME sees of a time, by the letters of its format. */
const SEEN_BY_DIRECTIVE: Readonly<Record<string, number>> = Object.freeze({
  ...Object.fromEntries([...'YymdjbBaAuwVGU%'].map((letter) => [letter, DAY])),
  ...{ H: HOUR, I: HOUR, p: HOUR, M: MINUTE, S: SECOND },
});

/** The number of characters of the statement's time that decide a constant, whatever follows them. */
function charactersSeen(node: Expression): number {
  if (isClock(node))
    return node.kind === 'FunctionCall' && scalarNamed(node.name).result === 'date' ? DAY : ALL;
  // Its own clocks are none of the node's children.
  if (subqueryOf(node) !== null) return ALL;
  return ofClock(node) ?? Math.max(0, ...childrenOf(node).map(charactersSeen));
}

/** The characters that a function sees of a clock that it takes itself; null of anything else. */
function ofClock(node: Expression): number | null {
  if (node.kind === 'Cast') return node.sqlType === 'DATE' && isClock(node.operand) ? DAY : null;
  const { part, time } = partOfTime(node) ?? {};
  if (part !== undefined && time !== undefined) return isClock(time) ? seenByUnit(part) : null;
  if (node.kind !== 'FunctionCall') return null;
  const [first, second] = node.arguments;
  if (first === undefined || second === undefined) return null;
  if (node.name === 'DATE_TRUNC') return isClock(second) ? seenByUnit(constantText(first)) : null;
  return node.name === 'STRFTIME' && isClock(first) ? seenByFormat(constantText(second)) : null;
}

function seenByUnit(unit: string | null): number | null {
  const name = unit?.toLowerCase() ?? '';
  return Object.hasOwn(SEEN_BY_UNIT, name) ? (SEEN_BY_UNIT[name] ?? null) : null;
}

function seenByFormat(format: string | null): number | null {
  if (format === null) return null;
  const directives = [...format.matchAll(/%(.?)/gs)].map(([, letter = '']) => letter);
  return directives.every((letter) => Object.hasOwn(SEEN_BY_DIRECTIVE, letter))
    ? Math.max(0, ...directives.map((letter) => SEEN_BY_DIRECTIVE[letter] ?? ALL))
    : null;
}

/** Whether the value is the statement's time, later or earlier by what is always as long. */
function isClockMoved(node: Expression): boolean {
  if (isClock(node)) return node.kind === 'FunctionCall' && scalarNamed(node.name).result === 'timestamp';
  if (node.kind === 'Cast') return node.sqlType.startsWith('TIMESTAMP') && isClockMoved(node.operand);
  if (node.kind !== 'Arithmetic' || !['+', '-'].includes(node.operator)) return false;
  const { left, right } = node;
  if (right.kind !== 'Literal') return false;
  const interval = intervalOf(right.value);
  return interval !== null && interval.months === 0n && isClockMoved(left);
}

function moved(value: LiteralValue, before: StatementTime, now: StatementTime): LiteralValue | null {
  if (value.type !== 'temporal' || (value.sqlType !== 'TIMESTAMP' && value.sqlType !== 'TIMESTAMPTZ'))
    return null;
  const [from, to, at] = [before, now, value.value].map(instantOfText);
  if (from == null || to == null || at == null) return null;
  const later = timestampOf(at + to - from);
  if (later?.type !== 'temporal') return null;
  // Six digits after the point, less zeros at the end, as DuckDB prints it: constants are compared by their texts.
  const text = later.value.replace(/\.?0{1,6}$/, '');
  return { ...value, value: value.sqlType === 'TIMESTAMPTZ' ? `${text}+00` : text };
}
