import type { KeyAttribute } from '../../catalog/table.ts';
import type { KeyValue, SortCondition } from '../table-read.ts';
import { attributeOf, type Condition } from './condition.ts';
import { compareKeyValues, keyValueOf } from './key-value.ts';
import { keyValuesOf } from './key-values.ts';
import { sortKeyBytesMax } from './limits.ts';

/** What a Query may ask of its sort key. */
export type SortRestriction =
  | {
      readonly kind: 'restricted';
      /** Null: any sort key. */
      readonly condition: SortCondition | null;
      /** Conjuncts that the condition fulfils entirely. */
      readonly exact: ReadonlySet<Condition>;
    }
  /** No sort key can match. */
  | { readonly kind: 'never' };

interface Bound {
  readonly value: KeyValue;
  readonly strict: boolean;
  readonly from: Condition;
  readonly exact: boolean;
}

/**
 * The narrowest single condition that no matching item fails. DynamoDB takes one: two bounds become BETWEEN, strict ones
 * and lists are widened to it, and the residual query checks them again.
 */
export function sortRestrictionOf(conjuncts: readonly Condition[], attribute: KeyAttribute): SortRestriction {
  const listed = keyValuesOf(conjuncts, attribute, sortKeyBytesMax);
  if (listed !== null) {
    const low = listed.values[0];
    const high = listed.values.at(-1);
    if (low === undefined || high === undefined) return { kind: 'never' };
    return low === high
      ? restricted({ operator: '=', value: low }, listed.exact)
      : restricted({ operator: 'BETWEEN', low, high }, new Set());
  }
  let low: Bound | null = null;
  let high: Bound | null = null;
  let prefix: { readonly text: string; readonly from: Condition; readonly whole: boolean } | null = null;
  for (const conjunct of conjuncts) {
    if (conjunct.kind === 'Prefix') {
      if (attributeOf(conjunct.column) !== attribute.name || attribute.type !== 'S') continue;
      if (Buffer.byteLength(conjunct.prefix) > sortKeyBytesMax || conjunct.prefix === '') continue;
      if (prefix === null || conjunct.prefix.length > prefix.text.length)
        prefix = { text: conjunct.prefix, from: conjunct, whole: conjunct.whole };
      continue;
    }
    const bound = boundOf(conjunct, attribute);
    if (bound === null || conjunct.kind !== 'Compare') continue;
    if (conjunct.operator.startsWith('>')) low = low === null || tighter(bound, low) > 0 ? bound : low;
    else high = high === null || tighter(bound, high) < 0 ? bound : high;
  }
  if (prefix !== null)
    return restricted(
      { operator: 'begins_with', value: { type: 'S', value: prefix.text } },
      new Set(prefix.whole ? [prefix.from] : []),
    );
  return foldBounds(low, high);
}

function foldBounds(low: Bound | null, high: Bound | null): SortRestriction {
  if (low !== null && high !== null) {
    const order = compareKeyValues(low.value, high.value);
    if (order > 0 || (order === 0 && (low.strict || high.strict))) return { kind: 'never' };
    const exact = [low, high].filter((bound) => bound.exact && !bound.strict).map(({ from }) => from);
    return restricted({ operator: 'BETWEEN', low: low.value, high: high.value }, new Set(exact));
  }
  const only = low ?? high;
  if (only === null) return restricted(null, new Set());
  const operator = low !== null ? (only.strict ? '>' : '>=') : only.strict ? '<' : '<=';
  return restricted({ operator, value: only.value }, new Set(only.exact ? [only.from] : []));
}

function boundOf(condition: Condition, attribute: KeyAttribute): Bound | null {
  if (condition.kind !== 'Compare' || attributeOf(condition.column) !== attribute.name) return null;
  const { operator, literal } = condition;
  if (operator === '=' || operator === '<>') return null;
  // A text against a number key is no bound: whether it compares as a number is the residual query's to say.
  if (attribute.type === 'N' && literal.type !== 'number') return null;
  // Base64 texts have another order than the bytes that they stand for.
  if (attribute.type === 'B' && literal.type !== 'binary') return null;
  const match = keyValueOf(literal, attribute, sortKeyBytesMax);
  if (match.kind !== 'value') return null;
  return { value: match.value, strict: operator.length === 1, from: condition, exact: match.exact };
}

/** Above 0 when `a` is the higher bound; of equal ones, the strict is higher as a low bound and lower as a high one. */
function tighter(a: Bound, b: Bound): number {
  const order = compareKeyValues(a.value, b.value);
  if (order !== 0 || a.strict === b.strict) return order;
  const isLow = a.from.kind === 'Compare' && a.from.operator.startsWith('>');
  return a.strict === isLow ? 1 : -1;
}

function restricted(condition: SortCondition | null, exact: ReadonlySet<Condition>): SortRestriction {
  return { kind: 'restricted', condition, exact };
}
