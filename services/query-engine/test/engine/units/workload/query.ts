/** A generated query, as data: its SQL is written from it, and the clairvoyant reckons with it. */
import type { TestItem } from '../../engine-table.ts';

type Constant = string | number;

/** One conjunct of WHERE over one attribute. */
export type Predicate =
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly operator: '=' | '<' | '<=' | '>' | '>=';
      readonly value: Constant;
    }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Constant[] }
  | {
      readonly kind: 'between';
      readonly column: string;
      readonly low: Constant;
      readonly high: Constant;
    }
  | { readonly kind: 'prefix'; readonly column: string; readonly prefix: string }
  /** IS NOT NULL. */
  | { readonly kind: 'present'; readonly column: string };

/** A table where FROM, or a subquery of WHERE, names it. */
export interface Occurrence {
  readonly alias: string;
  readonly table: string;
  readonly predicates: readonly Predicate[];
}

/** `left`: the right side may be missing. `semi`: `left` IN (SELECT `right` …). */
export interface JoinEdge {
  readonly kind: 'inner' | 'left' | 'semi';
  readonly left: readonly [alias: string, column: string];
  readonly right: readonly [alias: string, column: string];
}

/** A column or an aggregate of the output. `of`: the attribute that it needs; null: none. */
export interface Output {
  readonly call: 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | null;
  readonly alias: string;
  readonly of: string | null;
}

export const KINDS = Object.freeze([
  'joins',
  'IN lists',
  'ranges',
  'LIMIT with filters',
  'aggregates',
] as const);
export type QueryKind = (typeof KINDS)[number];

/** ORDER BY and LIMIT only where there is one occurrence. */
export interface WorkloadQuery {
  readonly kind: QueryKind;
  readonly occurrences: readonly Occurrence[];
  readonly edges: readonly JoinEdge[];
  readonly outputs: readonly Output[];
  readonly groupBy: readonly (readonly [alias: string, column: string])[];
  readonly order: { readonly column: string; readonly descending: boolean } | null;
  readonly limit: number | null;
}

/** The attribute's value; null where it is absent. */
export function valueOf(item: TestItem, column: string): Constant | null {
  const value = item[column];
  return value?.S ?? (value?.N === undefined ? null : Number(value.N));
}

/** Order of values of one type: texts by code units, which for ASCII is the order of their bytes. */
export function compare(a: Constant, b: Constant): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an item passes: as SQL, a missing value passes nothing. */
export function passes(item: TestItem, predicate: Predicate): boolean {
  const value = valueOf(item, predicate.column);
  if (value === null) return false;
  switch (predicate.kind) {
    case 'compare': {
      const order = compare(value, predicate.value);
      const { operator } = predicate;
      if (operator === '=') return order === 0;
      if (order === 0) return operator === '<=' || operator === '>=';
      return order < 0 ? operator.startsWith('<') : operator.startsWith('>');
    }
    case 'in':
      return predicate.values.includes(value);
    case 'between':
      return compare(value, predicate.low) >= 0 && compare(value, predicate.high) <= 0;
    case 'prefix':
      return String(value).startsWith(predicate.prefix);
    case 'present':
      return true;
  }
}

/** Every attribute that the statement needs of an occurrence. */
export function columnsOf(query: WorkloadQuery, { alias, predicates }: Occurrence): ReadonlySet<string> {
  const named = [
    ...query.edges.flatMap(({ left, right }) => [left, right]),
    ...query.groupBy,
    ...query.outputs.flatMap(({ alias: of, of: column }) => (column === null ? [] : [[of, column] as const])),
  ];
  return new Set([
    ...predicates.map(({ column }) => column),
    ...named.filter(([of]) => of === alias).map(([, column]) => column),
    ...(query.order === null ? [] : [query.order.column]),
  ]);
}
