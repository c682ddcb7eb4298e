/** A table of the workload, of which nothing is known but its keys. */
import type { KeySchema, SecondaryIndex } from '../../../../src/catalog/table.ts';
import { engineTable } from '../../shop.ts';
import type { EngineTable, TestItem } from '../../test-engine.ts';
import { index } from '../tables.ts';

/** What is known of its size is the registry's to find out. */
export function indexOf(...args: Parameters<typeof index>): SecondaryIndex {
  return { ...index(...args), itemCount: 0, sizeBytes: 0, coverage: 'complete' };
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
