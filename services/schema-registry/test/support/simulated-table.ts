/** Tables that exist as numbers only: partitions of given sizes, spread over the hashes as DynamoDB spreads them. */
import type { ScanPage, TenantTables } from '../../src/dynamodb/tenant-tables.ts';
import type { Item } from '../../src/metadata/item-value.ts';
import type { TableDescription } from '../../src/metadata/table-metadata.ts';

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A table and what was read of it. */
export interface SimulatedTable {
  readonly tables: TenantTables;
  readonly description: TableDescription;
  readonly partitions: number;
  /** Scans of segments so far. */
  readonly scans: () => number;
}

/** Items of a partition have sort keys from 0 on; `itemOf` says what else they have. */
export function simulatedTable(
  sizes: readonly number[],
  options: {
    itemBytes: number;
    random: () => number;
    itemOf?: (partition: number, sort: number) => Item;
    itemCount?: number;
  },
): SimulatedTable {
  const { itemBytes, random, itemOf = () => ({}) } = options;
  const hashes = Float64Array.from(sizes, () => random());
  const order = Uint32Array.from(sizes.keys()).sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0));
  const sorted = Float64Array.from(order, (partition) => hashes[partition] ?? 0);
  const items = sizes.reduce((sum, size) => sum + size, 0);
  const itemCount = options.itemCount ?? items;
  let scans = 0;

  const scan = (part: { segment: number; totalSegments: number; limit: number }): ScanPage => {
    scans++;
    const end = firstFrom(sorted, (part.segment + 1) / part.totalSegments);
    const read: Item[] = [];
    let ended = true;
    for (let at = firstFrom(sorted, part.segment / part.totalSegments); at < end && ended; at++) {
      const partition = order[at] ?? 0;
      const size = sizes[partition] ?? 0;
      for (let sort = 0; sort < size && ended; sort++) {
        const key = { pk: { S: `p${partition}` }, sk: { N: String(sort) } };
        read.push({ ...key, ...itemOf(partition, sort) });
        // DynamoDB does not look whether anything follows the last item that the limit allows.
        if (read.length === part.limit) ended = false;
      }
    }
    const readUnits = Math.max(1, Math.ceil((read.length * itemBytes) / 4096)) / 2;
    return { items: read, readUnits, ended };
  };

  const unused = () => Promise.reject(new Error('not asked for'));
  return {
    tables: {
      connect: unused,
      describe: unused,
      list: unused,
      probeIndex: unused,
      scan: async (_table, part) => scan(part),
    },
    description: {
      tableName: 'simulated',
      key: { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'N' } },
      indexes: [],
      itemCount,
      sizeBytes: itemCount * itemBytes,
    },
    partitions: sizes.length,
    scans: () => scans,
  };
}

function firstFrom(sorted: Float64Array, hash: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
