/** What a statement's reads saw of keys and filters: worth telling the registry, for others to be planned by. */
import {
  keyNames,
  queryKey,
  type CatalogTable,
  type LearnedFilter,
  type LearnedKeys,
  type LearnedStatistics,
} from '../../catalog/table.ts';
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

type Sums<T> = { -readonly [K in keyof T]: T[K] };

interface TableSums {
  readonly keys: Map<string, Sums<LearnedKeys>>;
  readonly filters: Map<string, Sums<LearnedFilter>>;
}

/** `entriesMax`: paths, and filters, of each table. */
export function watchReads(entriesMax: number): ReadWatch {
  const tables = new Map<CatalogTable, TableSums>();
  const sumsOf = ({ table }: TableRead): TableSums => {
    const sums = tables.get(table) ?? { keys: new Map(), filters: new Map() };
    tables.set(table, sums);
    return sums;
  };
  const addTo = <T>(sums: Map<string, T>, place: string, none: T, add: (sum: T) => void): void => {
    const sum = sums.get(place) ?? none;
    if (!sums.has(place) && sums.size >= entriesMax) return;
    sums.set(place, sum);
    add(sum);
  };
  const addKeys = (
    read: TableRead,
    { keys, missing, items, halfUnits }: { keys: number; missing: number; items: number; halfUnits: number },
  ): void => {
    const keyColumns = keyColumnsOf(read);
    if (keyColumns === null) return;
    const index = indexOf(read);
    const none = { index, keyColumns, keys: 0, missing: 0, items: 0, units: 0 };
    addTo(sumsOf(read).keys, JSON.stringify([index, ...keyColumns]), none, (sum) => {
      sum.keys += keys;
      sum.missing += missing;
      sum.items += items;
      sum.units += halfUnits / 2;
    });
  };
  return {
    page(read, { scanned, passed }) {
      if (read.filter === null) return;
      const [index, form] = [indexOf(read), filterForm(read.filter)];
      const none = { index, form, read: 0, passed: 0 };
      addTo(sumsOf(read).filters, JSON.stringify([index, form]), none, (sum) => {
        sum.read += scanned;
        sum.passed += passed;
      });
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
      [...tables].map(([table, { keys, filters }]) => ({
        table,
        seen: {
          keys: [...keys.values()].filter((sum) => sum.keys > 0),
          filters: [...filters.values()].filter((sum) => sum.read > 0),
        },
      })),
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
