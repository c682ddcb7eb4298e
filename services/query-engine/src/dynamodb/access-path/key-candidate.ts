import { queryKey } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { sizeOf, unitsOfKeys } from './estimate.ts';
import { boundKeysOf } from './key-values.ts';
import { directionFor } from './read-order.ts';
import { showConjuncts } from './show-condition.ts';

/** GetItem or BatchGetItem, where the conjuncts bind the whole key; `Nothing` where they leave none. */
export function keyCandidate(
  scan: TableScan,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate | null {
  const { table, alias } = scan;
  const bound = boundKeysOf(conjuncts, table.key);
  if (bound === null) return null;
  const by = showConjuncts(conjuncts, [table.key.partitionKey.name, table.key.sortKey?.name], alias);
  const [first, ...others] = bound.keys;
  if (first === undefined)
    return {
      path: { kind: 'Nothing' },
      index: null,
      items: 0,
      units: 0,
      exact: new Set(conjuncts),
      ordered: true,
      sideBySide: 1,
      reason: `no key can match ${by}`,
    };
  const onePartition = others.every(({ partition }) => partition.value === first.partition.value);
  const fixed = new Set(onePartition ? [table.key.partitionKey.name] : []);
  const key = queryKey(table, null);
  const direction =
    others.length === 0
      ? { descending: false }
      : directionFor(scan.orderHint, { key, fixed, mergeable: false, unique: true });
  const keys = direction?.descending === true ? [...bound.keys].reverse() : bound.keys;
  return {
    path: others.length === 0 ? { kind: 'GetItem', key: first } : { kind: 'BatchGetItem', keys },
    index: null,
    items: keys.length,
    units: unitsOfKeys(keys.length, sizeOf(table, null), consistent),
    exact: bound.exact,
    ordered: direction !== null,
    sideBySide: 1,
    reason: others.length === 0 ? `whole key bound by ${by}` : `${keys.length} whole keys bound by ${by}`,
  };
}
