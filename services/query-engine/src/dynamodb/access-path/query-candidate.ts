import type { SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { SortCondition } from '../table-read.ts';
import type { Candidate } from './candidate.ts';
import { attributeOf, type Condition } from './condition.ts';
import { itemsPerValue, sizeOf, unitsOfRange } from './estimate.ts';
import { keyValuesOf } from './key-values.ts';
import { partitionKeyBytesMax } from './limits.ts';
import { directionFor } from './read-order.ts';
import { showConjuncts } from './show-condition.ts';
import { sortRestrictionOf, type SortRestriction } from './sort-condition.ts';

const NO_RESTRICTION: SortRestriction = Object.freeze({
  kind: 'restricted',
  condition: null,
  exact: new Set<Condition>(),
});

/** Query on the table (`index` null) or an index that may be read, where the conjuncts bind its partition key. */
export function queryCandidate(
  scan: TableScan,
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate | null {
  const { table, alias } = scan;
  const key = index?.key ?? table.key;
  const partitions = keyValuesOf(conjuncts, key.partitionKey, partitionKeyBytesMax);
  // That no index key can match says nothing of items that are not in the index; the table's own keys are all there.
  if (partitions === null || (partitions.values.length === 0 && index !== null)) return null;
  const sort = key.sortKey === null ? NO_RESTRICTION : sortRestrictionOf(conjuncts, key.sortKey);
  if (sort.kind === 'never' && index !== null) return null;
  const by = showConjuncts(conjuncts, [key.partitionKey.name], alias);
  if (sort.kind === 'never' || partitions.values.length === 0)
    return {
      path: { kind: 'Nothing' },
      index: null,
      items: 0,
      units: 0,
      exact: new Set(conjuncts),
      ordered: true,
      reason: 'no key can match the predicates',
    };
  const onePartition = partitions.values.length === 1;
  const direction = directionFor(scan.orderWanted, { key, onePartition, unique: index === null });
  const descending = direction?.descending ?? false;
  const size = sizeOf(table, index);
  const inPartition = Math.min(size.items, itemsPerValue(table, key.partitionKey.name, size.items));
  const unique = index === null && key.sortKey !== null;
  const items = Math.max(1, inPartition * sortSelectivity(sort.condition, inPartition, unique));
  const exact = new Set([...partitions.exact, ...sort.exact]);
  for (const conjunct of conjuncts)
    if (conjunct.kind === 'IsNull' && conjunct.negated && isKey(attributeOf(conjunct.column)))
      exact.add(conjunct);
  function isKey(name: string | null): boolean {
    return name === key.partitionKey.name || name === key.sortKey?.name;
  }
  const place = index === null ? 'partition key' : `partition key of index ${index.name}`;
  const sortBy =
    sort.condition === null ? '' : `, sort key by ${showConjuncts(conjuncts, [key.sortKey?.name], alias)}`;
  return {
    path: {
      kind: 'Query',
      index: index?.name ?? null,
      partitions: descending ? [...partitions.values].reverse() : partitions.values,
      sort: sort.condition,
      descending,
    },
    index,
    items: items * partitions.values.length,
    units: unitsOfRange(items, size, consistent) * partitions.values.length,
    exact,
    ordered: direction !== null,
    reason: `${place} bound by ${by}${sortBy}`,
  };
}

/** The part of a partition that a sort condition leaves. */
function sortSelectivity(condition: SortCondition | null, inPartition: number, unique: boolean): number {
  switch (condition?.operator) {
    case undefined:
      return 1;
    case '=':
      return unique ? 1 / Math.max(1, inPartition) : 0.1;
    case 'BETWEEN':
      return 0.25;
    case 'begins_with':
      return 0.2;
    default:
      return 1 / 3;
  }
}
