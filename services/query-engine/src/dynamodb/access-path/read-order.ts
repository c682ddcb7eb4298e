import { indexKeyAttributes, type IndexKey } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { KeyRange, KeyValue, SortRange } from '../table-read.ts';
import { attributeOf } from './condition.ts';
import { compareKeyValues } from './key-value.ts';

/** What is known of the rows that a path returns in key order. */
export interface KeyOrder {
  readonly key: IndexKey;
  /** Key attributes that have one value in all rows. */
  readonly fixed: ReadonlySet<string>;
  /** Whether several partitions may be read side by side, and merged by their sort keys. */
  readonly mergeable: boolean;
  /** No two rows have the same key: true for the table, not for an index. */
  readonly unique: boolean;
}

export interface Direction {
  readonly descending: boolean;
  readonly merged: boolean;
}

/** The key attributes that have one value in all ranges of keys. */
export function fixedAttributes(key: IndexKey, ranges: readonly KeyRange[]): ReadonlySet<string> {
  const attributes = indexKeyAttributes(key);
  const [first, ...others] = ranges.map(({ partition, sort }) => [...partition, ...equalValues(sort)]);
  // Whether those before it vary does not count.
  const isFixed = (value: KeyValue, at: number): boolean =>
    others.every((values) => values[at] !== undefined && compareKeyValues(values[at], value) === 0);
  return new Set(first?.flatMap((value, at) => (isFixed(value, at) ? [attributes[at]?.name ?? ''] : [])));
}

function equalValues(sort: SortRange | null): readonly KeyValue[] {
  if (sort === null) return [];
  return sort.last.operator === '=' ? [...sort.equals, sort.last.value] : sort.equals;
}

/**
 * The direction in which to read so that rows come as wanted; null when key order cannot give it. Columns wanted after a
 * unique key change nothing. Keys are never NULL, and text keys sort by UTF-8 bytes as ours do.
 */
export function directionFor(
  wanted: TableScan['orderHint'],
  { key, fixed, mergeable, unique }: KeyOrder,
): Direction | null {
  const varying = (attributes: IndexKey['sortKeys']): readonly string[] =>
    attributes.map(({ name }) => name).filter((name) => !fixed.has(name));
  const names = wanted.map(({ column, descending }) => ({ name: attributeOf(column), descending }));
  const left = names.filter(({ name }) => name === null || !fixed.has(name));
  const [first] = left;
  const descending = first?.descending ?? false;
  const partition = varying(key.partitionKeys);
  const sort = varying(key.sortKeys);
  const merged = partition.length > 0 && mergeable && first !== undefined && first.name === sort[0];
  const ordering = merged ? [...sort, ...partition] : [...partition, ...sort];
  for (const [i, entry] of left.entries()) {
    if (i >= ordering.length) return unique ? { descending, merged } : null;
    if (entry.name !== ordering[i] || entry.descending !== descending) return null;
  }
  return { descending, merged };
}
