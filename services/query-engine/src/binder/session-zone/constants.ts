/** Constants of times and intervals, as far as a session's zone has a part in what they mean. */
import { castTo } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { withFields } from '../../logical/visit.ts';

/** A date, and perhaps a time of day, without an offset or a zone behind it. */
const WITHOUT_OFFSET = /^\s*(?:\d{4}-\d\d?-\d\d?|\d{8}|\d{4}\/\d\d?\/\d\d?)(?:[Tt ]\s*[\d:.]+)?\s*$/;

/** A constant that PostgreSQL reads as what stands beside it. */
export const isText = (node: Expression): boolean => node.kind === 'Literal' && node.value.type === 'text';

/** Whether it is the text of a time, or a time with a zone by its type, that does not say where clocks showed it. */
export function lacksOffset(node: Expression): boolean {
  if (node.kind !== 'Literal') return false;
  const { value } = node;
  const isTime = value.type === 'text' || (value.type === 'temporal' && value.sqlType === 'TIMESTAMPTZ');
  return isTime && WITHOUT_OFFSET.test(value.value);
}

/**
 * What an interval is made of: hours and below (`clock`), which are as long everywhere; days and above (`calendar`), which
 * clocks decide; or what is not told by the statement, or both.
 */
export type IntervalKind = 'clock' | 'calendar' | 'untold';

const CLOCK_UNIT =
  /^(?:h|hr|hour|m|min|minute|s|sec|second|ms|msec|milli|millisecond|us|usec|micro|microsecond)s?$/i;
const CALENDAR_UNIT =
  /^(?:d|day|w|week|mon|month|quarter|y|yr|year|dec|decade|c|cent|century|centurie|mil|mill|millennium|millennia)s?$/i;

function ofUnits(units: readonly string[]): IntervalKind {
  if (units.length === 0) return 'untold';
  if (units.every((unit) => CLOCK_UNIT.test(unit))) return 'clock';
  return units.every((unit) => CALENDAR_UNIT.test(unit)) ? 'calendar' : 'untold';
}

function ofText(text: string): IntervalKind {
  const written = text.trim().replace(/\bago$/i, '');
  if (/^[+-]?\d+:\d\d(?::\d\d(?:\.\d+)?)?$/.test(written)) return 'clock';
  // `P1D` and times of day behind days.
  if (/^P/i.test(written) || written.includes(':')) return 'untold';
  return ofUnits(written.match(/[a-z]+/gi) ?? []);
}

export function intervalKind(node: Expression): IntervalKind {
  switch (node.kind) {
    case 'Literal': {
      const { value } = node;
      if (value.type === 'text') return ofText(value.value);
      if (value.type !== 'interval') return 'untold';
      return value.unit === null ? ofText(value.value) : ofUnits([value.unit]);
    }
    case 'Cast':
      return node.sqlType === 'INTERVAL' ? intervalKind(node.operand) : 'untold';
    case 'Negate':
      return intervalKind(node.operand);
    case 'Arithmetic':
      return ofArithmetic(node);
    default:
      return 'untold';
  }
}

/** A part of a day is hours, so that only whole numbers of days are days. */
function ofArithmetic({ operator, left, right }: Extract<Expression, { kind: 'Arithmetic' }>): IntervalKind {
  const [first, second] = [intervalKind(left), intervalKind(right)];
  if (operator === '+' || operator === '-') return first === second ? first : 'untold';
  if (operator !== '*' && operator !== '/') return 'untold';
  const [kind, factor] = first === 'untold' ? [second, left] : [first, right];
  if (kind !== 'calendar') return kind;
  return operator === '*' && isWhole(factor) ? kind : 'untold';
}

const isWhole = (node: Expression): boolean => {
  if (node.kind === 'Literal') return node.value.type === 'number' && /^-?\d+$/.test(node.value.text);
  return node.kind === 'Cast' && /^(?:SMALLINT|INTEGER|BIGINT)$/.test(node.sqlType);
};

/** `a time + '1 hour'`, where PostgreSQL knows no other type for the text; any other expression as it is. */
export function withInterval(node: Expression, kind: (of: Expression) => string | null): Expression {
  if (node.kind !== 'Arithmetic' || node.operator !== '+') return node;
  const asInterval = (text: Expression, time: Expression): Expression =>
    isText(text) && kind(time) !== null ? castTo(text, 'INTERVAL', text.pos) : text;
  return withFields(node, {
    left: asInterval(node.left, node.right),
    right: asInterval(node.right, node.left),
  });
}
