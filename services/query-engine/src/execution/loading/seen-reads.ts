/** What a statement's reads saw of keys and filters: worth telling the registry, for others to be planned by. */
import { createSeenSums, type SeenSums } from '../../catalog/seen-sums.ts';
import { keyNames, queryKey, type CatalogTable, type LearnedStatistics } from '../../catalog/table.ts';
import { filterForm } from '../../dynamodb/access-path/filter-form.ts';
import type { ReadObserver } from '../../dynamodb/read-context.ts';
import type { SortRange, TableRead } from '../../dynamodb/table-read.ts';

export interface SeenReads {
  readonly table: CatalogTable;
  readonly seen: LearnedStatistics;
}

export interface ReadWatch extends ReadObserver {
  found(): readonly SeenReads[];
}

/** `entriesMax`: paths, and filters, of each table. */
export function watchReads(entriesMax: number): ReadWatch {
  const tables = new Map<CatalogTable, SeenSums>();
  const add = ({ table }: TableRead, seen: Partial<LearnedStatistics>): void => {
    const sums = tables.get(table) ?? createSeenSums(entriesMax);
    tables.set(table, sums);
    sums.add({ keys: [], filters: [], ...seen });
  };
  const addKeys = (
    read: TableRead,
    { keys, missing, items, halfUnits }: { keys: number; missing: number; items: number; halfUnits: number },
  ): void => {
    const keyColumns = keyColumnsOf(read);
    if (keyColumns === null) return;
    add(read, { keys: [{ index: indexOf(read), keyColumns, keys, missing, items, units: halfUnits / 2 }] });
  };
  return {
    page(read, { scanned, passed }) {
      if (read.filter === null) return;
      const entry = { index: indexOf(read), form: filterForm(read.filter), read: scanned, passed };
      add(read, { filters: [entry] });
    },
    range(read, { items, halfUnits }) {
      addKeys(read, { keys: 1, missing: items === 0 ? 1 : 0, items, halfUnits });
    },
    fetched(read, { asked, found, halfUnits }) {
      // Of an index lookup, the keys are those of the index.
      if (read.path.kind === 'IndexLookup') addKeys(read, { keys: 0, missing: 0, items: 0, halfUnits });
      else addKeys(read, { keys: asked, missing: asked - found, items: found, halfUnits });
    },
    found: () =>
      [...tables].map(([table, added]) => {
        const { keys, filters } = added.sums();
        const seen = {
          keys: keys.filter((sum) => sum.keys > 0),
          filters: filters.filter((sum) => sum.read > 0),
        };
        return { table, seen };
      }),
  };
}

function indexOf({ path }: TableRead): string | null {
  return path.kind === 'Query' || path.kind === 'IndexLookup' || path.kind === 'Scan' ? path.index : null;
}

/** The attributes that the read's keys are made of; null where it reads parts of partitions, of any width. */
function keyColumnsOf({ path, table }: TableRead): readonly string[] | null {
  if (path.kind === 'GetItem' || path.kind === 'BatchGetItem') return keyNames(table.key);
  if (path.kind !== 'Query' && path.kind !== 'IndexLookup') return null;
  const index = table.indexes.find(({ name }) => name === path.index) ?? null;
  if (path.index !== null && index === null) return null;
  // Of the sort key, as many attributes as all ranges bind by equality.
  const [depth = null, ...others] = new Set(path.ranges.map(({ sort }) => boundAttributes(sort)));
  if (depth === null || others.length > 0) return null;
  const { partitionKeys, sortKeys } = queryKey(table, index);
  return [...partitionKeys, ...sortKeys.slice(0, depth)].map(({ name }) => name);
}

/** Null where the last one is bound by a range. */
function boundAttributes(sort: SortRange | null): number | null {
  if (sort === null) return 0;
  return sort.last.operator === '=' ? sort.equals.length + 1 : null;
}
