/** What predicates say of an attribute of a sort key, as intervals of it. */
import type { KeyAttribute } from '../../catalog/table.ts';
import { attributeOf, conjunctsOf, type Condition } from './condition.ts';
import {
  ALL_KEYS,
  between,
  intersectionOf,
  pointOf,
  prefixInterval,
  unionOf,
  type Intervals,
} from './key-interval.ts';
import { keyValueOf } from './key-value.ts';
import { sortKeyBytesMax } from './limits.ts';
import type { Literal } from './literal.ts';

export interface SortIntervals {
  /** No matching item has another sort key. */
  readonly intervals: Intervals;
  /** Whether every item with such a key matches. */
  readonly exact: boolean;
}

/** The sort keys that a condition leaves; null where it says nothing of them. */
export function sortIntervalsOf(condition: Condition, attribute: KeyAttribute): SortIntervals | null {
  switch (condition.kind) {
    case 'Never':
      return { intervals: [], exact: true };
    case 'And':
      return intervalsLeft(conjunctsOf(condition), attribute);
    case 'Or': {
      const parts = condition.operands.map((operand) => sortIntervalsOf(operand, attribute));
      if (!parts.every((part) => part !== null)) return null;
      return {
        intervals: unionOf(parts.flatMap(({ intervals }) => intervals)),
        exact: parts.every(({ exact }) => exact),
      };
    }
    case 'Prefix':
      if (attributeOf(condition.column) !== attribute.name || attribute.type !== 'S') return null;
      if (Buffer.byteLength(condition.prefix) > sortKeyBytesMax) return null;
      return { intervals: [prefixInterval(condition.prefix)], exact: condition.whole };
    case 'In':
      return attributeOf(condition.column) === attribute.name ? points(condition.literals, attribute) : null;
    case 'Compare':
      if (attributeOf(condition.column) !== attribute.name || condition.operator === '<>') return null;
      if (condition.operator === '=') return points([condition.literal], attribute);
      return bound(condition.operator, condition.literal, attribute);
    default:
      return null;
  }
}

/**
 * The sort keys that conditions leave together; null where none says anything of them. A gap where hardly any key is makes
 * intervals narrower or fewer, never more: each is a read of its own.
 */
export function intervalsLeft(
  conditions: readonly Condition[],
  attribute: KeyAttribute,
): SortIntervals | null {
  let [intervals, isSaid, exact] = [ALL_KEYS, false, true];
  for (const condition of inOrder(conditions)) {
    const said = sortIntervalsOf(condition, attribute);
    const left = said === null ? intervals : intersectionOf(intervals, said.intervals);
    const isUsed = said !== null && !(isGap(condition) && left.length > intervals.length);
    exact &&= isUsed && said.exact;
    if (isUsed) [intervals, isSaid] = [left, true];
  }
  return isSaid ? { intervals, exact } : null;
}

const isGap = (condition: Condition): boolean => 'isGap' in condition && condition.isGap === true;

/** The conditions, gaps last: then it is known what is left beside them. */
const inOrder = (conditions: readonly Condition[]): readonly Condition[] =>
  conditions.some(isGap)
    ? [...conditions.filter((one) => !isGap(one)), ...conditions.filter(isGap)]
    : conditions;

function points(literals: readonly Literal[], attribute: KeyAttribute): SortIntervals | null {
  const intervals: Intervals[number][] = [];
  let exact = true;
  for (const literal of literals) {
    const match = keyValueOf(literal, attribute, sortKeyBytesMax);
    if (match.kind === 'unknown') return null;
    if (match.kind === 'never') continue;
    intervals.push(pointOf(match.value));
    exact &&= match.exact;
  }
  return { intervals: unionOf(intervals), exact };
}

function bound(
  operator: '<' | '<=' | '>' | '>=',
  literal: Literal,
  attribute: KeyAttribute,
): SortIntervals | null {
  // A text against a number key is no bound: whether it compares as a number is the residual query's to say. Nor is it
  // one of bytes, whose base64 texts have another order.
  if (attribute.type === 'N' ? literal.type !== 'number' : attribute.type === 'B' && literal.type === 'text')
    return null;
  // No key is empty, so that each is above the empty text: it says that there is one, to rule out items that have none.
  if (operator.startsWith('>') && isEmptyOf(literal, attribute)) return { intervals: ALL_KEYS, exact: true };
  const match = keyValueOf(literal, attribute, sortKeyBytesMax);
  if (match.kind !== 'value') return null;
  const { value, exact } = match;
  const intervals = operator.startsWith('>')
    ? between({ values: [value], side: operator === '>' ? 'above' : 'below' }, null)
    : between(null, { values: [value], side: operator === '<' ? 'below' : 'above' });
  return { intervals, exact };
}

function isEmptyOf(literal: Literal, { type }: KeyAttribute): boolean {
  return type === 'S'
    ? literal.type === 'text' && literal.value === ''
    : type === 'B' && literal.type === 'binary' && literal.base64 === '';
}
