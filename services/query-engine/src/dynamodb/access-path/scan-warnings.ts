import type { TableScan } from '../../logical/plan.ts';
import { attributeOf, type Condition } from './condition.ts';
import { whyNotIndex } from './index-coverage.ts';
import { largeScanUnits } from './limits.ts';

/** What to tell of a scan of a large table that an index could have spared. */
export function scanWarnings(
  scan: TableScan,
  conjuncts: readonly Condition[],
  units: number,
  consistent: boolean,
): readonly string[] {
  if (units <= largeScanUnits) return [];
  const { table } = scan;
  const bound = [...new Set(conjuncts.flatMap(boundAttribute))];
  if (bound.length === 0) return [];
  const paths = scan.columns.map(({ path }) => path);
  const opening = `${table.schemaName}.${table.tableName} is scanned, about ${Math.round(units)} read units`;
  for (const index of table.indexes) {
    if (!bound.includes(index.key.partitionKey.name)) continue;
    const why = whyNotIndex(index, table, conjuncts, paths, consistent);
    if (why !== null) return [`${opening}: index ${index.name} cannot serve the query, since ${why}`];
  }
  return [`${opening}: a global secondary index with the partition key ${bound.join(' or ')} would help`];
}

function boundAttribute(condition: Condition): readonly string[] {
  const equals = condition.kind === 'In' || (condition.kind === 'Compare' && condition.operator === '=');
  const attribute = equals ? attributeOf(condition.column) : null;
  return attribute === null ? [] : [attribute];
}
