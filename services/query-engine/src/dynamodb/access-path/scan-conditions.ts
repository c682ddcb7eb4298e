import type { TableScan, ScanColumn } from '../../logical/plan.ts';
import { turnedAround } from '../../optimizer/turned-around/turned-around.ts';
import { conditionsOf, type Condition } from './condition.ts';
import { withoutContradicted } from './known-values.ts';

/** The conjuncts of a scan, with what those imply of its keys that are no conditions of a column. */
export function scanConditions(
  { filter, table }: TableScan,
  columns: readonly ScanColumn[],
): readonly Condition[] {
  const conditions = conditionsOf(filter, columns);
  const implied = turnedAround(filter, columns, table);
  const all =
    implied.length === 0 ? conditions : [...conditions, ...conditionsOf(implied, columns).map(markedOfKey)];
  return withoutContradicted(all, table);
}

/** The condition, whose every part says that it is of a key. */
function markedOfKey(condition: Condition): Condition {
  return condition.kind === 'And' || condition.kind === 'Or'
    ? { ...condition, operands: condition.operands.map(markedOfKey), ofKey: true }
    : { ...condition, ofKey: true };
}
