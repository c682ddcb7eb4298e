import { entriesIndex } from '../../catalog/index-relation.ts';
import { queryKey } from '../../catalog/table.ts';
import type { Condition } from '../../dynamodb/access-path/condition.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Change } from './change.ts';
import { shownName, withPredicates, type Predicate } from './changed-scan.ts';
import { equalities, ranges } from './found-conditions.ts';

/** Keys of which the statement would have to say a value, where it says a part of them, or narrows what they are sorted by. */
export function keyChanges(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const { table } = scan;
  const isEqual = (name: string): boolean =>
    conjuncts.some((conjunct) => equalities(conjunct).some((one) => one.name === name));
  const isNarrowed = (name: string): boolean =>
    isEqual(name) || conjuncts.some((conjunct) => ranges(conjunct).some((one) => one.name === name));
  const own = entriesIndex(table) === null ? [null] : [];
  return [...own, ...table.indexes].flatMap((index): readonly Change[] => {
    const { partitionKeys, sortKeys } = queryKey(table, index);
    const open = partitionKeys.filter(({ name }) => !isEqual(name));
    const [sortKey] = sortKeys;
    const isAsked = open.length < partitionKeys.length || (sortKey !== undefined && isNarrowed(sortKey.name));
    if (open.length === 0 || !isAsked) return [];
    const added = open.map((attribute): Predicate => ({ attribute, asks: 'value' }));
    const place = index === null ? 'the table' : `index ${index.name}`;
    return [
      {
        scan: withPredicates(scan, added),
        added,
        by: index?.name ?? null,
        what: `bind ${open.map(({ name }) => shownName(name)).join(' and ')}, and ${place} would be read by its key`,
      },
    ];
  });
}
