/** A table of the workload, of which nothing is known but its keys. */
import type { KeySchema, SecondaryIndex } from '../../../../src/catalog/table.ts';
import { engineTable } from '../../shop.ts';
import type { EngineTable, TestItem } from '../../engine-table.ts';
import { index } from '../tables.ts';

/**
 * What is known of its size is the registry's to find out. A global index may have been made after its table, so that it
 * lacks items whose values are of another type than its key: nothing but a sample of all items tells that it does not.
 */
export function indexOf(...args: Parameters<typeof index>): SecondaryIndex {
  const made = index(...args);
  return { ...made, itemCount: 0, sizeBytes: 0, coverage: made.global ? 'assumed' : 'complete' };
}

export function table(
  name: string,
  on: KeySchema,
  items: readonly TestItem[],
  indexes: readonly SecondaryIndex[],
): EngineTable {
  const made = engineTable(name, on, items);
  return { ...made, catalog: { ...made.catalog, indexes } };
}
