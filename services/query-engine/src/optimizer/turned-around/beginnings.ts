/** What conditions that all hold say that the texts of columns begin with. */
import { conjunctsOf, isNeverTrue } from '../../logical/build-expression.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { likePrefix } from '../../logical/like-prefix.ts';
import { textAfter } from '../../logical/text-order.ts';
import { BEGINNINGS_MAX } from '../limits.ts';
import type { Beginning } from './rule.ts';
import { constantText } from './rules/text-conditions.ts';

export type Beginnings = ReadonlyMap<ColumnId, readonly Beginning[]>;

/** Of each column that something is said of: its texts begin in one of these ways. Never an empty text. */
export function beginningsIn(conditions: readonly Expression[]): Beginnings {
  const all = new Map<ColumnId, readonly Beginning[]>();
  const conjuncts = conditions.flatMap(conjunctsOf);
  const add = (column: ColumnId, found: readonly Beginning[]): void => {
    const before = all.get(column);
    if (before === undefined || saysMore(found, before)) all.set(column, found);
  };
  for (const conjunct of conjuncts)
    for (const [column, found] of beginningsOf(conjunct))
      if (found.length <= BEGINNINGS_MAX && found.every(({ text }) => text !== '')) add(column, found);
  for (const [column, shared] of sharedByBounds(conjuncts)) add(column, [{ text: shared, isWhole: false }]);
  return all;
}

/** The shortest of the one is longer than that of the other. */
function saysMore(found: readonly Beginning[], before: readonly Beginning[]): boolean {
  const shortest = (all: readonly Beginning[]): number => Math.min(...all.map(({ text }) => text.length));
  return shortest(found) > shortest(before);
}

function beginningsOf(condition: Expression): Beginnings {
  switch (condition.kind) {
    case 'Or':
      return beginningsOfAny(condition.operands);
    case 'Comparison': {
      if (condition.operator !== '=') return NONE;
      const { left, right } = condition;
      const [operand, constant] = right.kind === 'ColumnReference' ? [right, left] : [left, right];
      const text = constantText(constant);
      return text === null ? NONE : of(operand, [{ text, isWhole: true }]);
    }
    case 'InList': {
      const texts = condition.values.map(constantText);
      if (condition.negated || !texts.every((text) => text !== null)) return NONE;
      return of(
        condition.operand,
        texts.map((text) => ({ text, isWhole: true })),
      );
    }
    case 'Like': {
      const pattern = constantText(condition.pattern);
      const escape = condition.escape === null ? undefined : constantText(condition.escape);
      if (condition.negated || condition.caseInsensitive || pattern === null || escape === null) return NONE;
      const { prefix, rest } = likePrefix(pattern, escape);
      return of(condition.operand, [{ text: prefix, isWhole: rest === '' }]);
    }
    default:
      return NONE;
  }
}

const NONE: Beginnings = new Map();

function of(operand: Expression, beginnings: readonly Beginning[]): Beginnings {
  return operand.kind === 'ColumnReference' ? new Map([[operand.column.id, beginnings]]) : NONE;
}

/** What each of several says, one of which holds. */
function beginningsOfAny(conditions: readonly Expression[]): Beginnings {
  const [first, ...others] = conditions.filter((one) => !isNeverTrue(one)).map((one) => beginningsIn([one]));
  if (first === undefined) return NONE;
  const united = new Map<ColumnId, readonly Beginning[]>();
  for (const [column, found] of first) {
    const more = others.map((one) => one.get(column));
    if (more.every((one) => one !== undefined)) united.set(column, [...found, ...more.flat()]);
  }
  return united;
}

/** What a column's least and greatest texts begin with, all between begin with, too. */
function sharedByBounds(conjuncts: readonly Expression[]): ReadonlyMap<ColumnId, string> {
  const lows = new Map<ColumnId, string>();
  const highs = new Map<ColumnId, { readonly text: string; readonly isIncluded: boolean }>();
  const note = (operand: Expression, operator: string, constant: Expression): void => {
    const text = constantText(constant);
    if (operand.kind !== 'ColumnReference' || text === null) return;
    if (operator === '>' || operator === '>=') lows.set(operand.column.id, text);
    if (operator === '<' || operator === '<=')
      highs.set(operand.column.id, { text, isIncluded: operator === '<=' });
  };
  for (const one of conjuncts) {
    if (one.kind === 'Comparison') note(one.left, one.operator, one.right);
    if (one.kind === 'Between' && !one.negated) {
      note(one.operand, '>=', one.low);
      note(one.operand, '<=', one.high);
    }
  }
  const shared = new Map<ColumnId, string>();
  for (const [column, low] of lows) {
    const high = highs.get(column);
    if (high === undefined) continue;
    const text = !high.isIncluded && textAfter(low) === high.text ? low : commonBeginning(low, high.text);
    if (text !== '') shared.set(column, text);
  }
  return shared;
}

function commonBeginning(a: string, b: string): string {
  const [x, y] = [[...a], [...b]];
  const different = x.findIndex((character, i) => character !== y[i]);
  return different < 0 ? a : x.slice(0, different).join('');
}
