import type { SizesOfTable } from './table-sizes.ts';

const NOTHING: SizesOfTable = Object.freeze({
  table: Object.freeze({ itemCount: 0, bytes: 0 }),
  indexes: Object.freeze({}),
  otherIndexes: Object.freeze({ itemCount: 0, bytes: 0 }),
});

/**
 * Counts that lag on demand: DynamoDB brings `ItemCount` and `TableSizeBytes` up to date "approximately every six hours"
 * (API reference, TableDescription). While a rule for a table holds, they stay as they were when the table was first
 * asked for under it: 0 for one that was made since.
 */
export interface StaleCounts {
  /** Takes note of how things are before a request is carried out. `key`: the table, unique in the endpoint. */
  before(key: string, operation: string, sizes: () => Promise<SizesOfTable | undefined>): Promise<void>;
  /** The counts to answer; undefined where they are to be measured. */
  of(key: string): SizesOfTable | undefined;
}

/** `isStale` says whether a rule for the table holds now. */
export function createStaleCounts(isStale: (key: string) => boolean): StaleCounts {
  const noted = new Map<string, SizesOfTable>();
  return {
    async before(key, operation, sizes) {
      if (!isStale(key)) noted.delete(key);
      else if (operation === 'CreateTable') noted.set(key, NOTHING);
      else if (!noted.has(key)) {
        const found = await sizes();
        if (!noted.has(key)) noted.set(key, found ?? NOTHING);
      }
    },
    of: (key) => (isStale(key) ? noted.get(key) : undefined),
  };
}
