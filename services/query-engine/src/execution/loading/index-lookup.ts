/** Chooses an index lookup or its fallback by the keys that there really are. */
import { leastUnits, sizeOf } from '../../dynamodb/access-path/estimate.ts';
import { decideBefore } from '../../dynamodb/bounded-regret/choose-lookups.ts';
import { openLedger } from '../../dynamodb/bounded-regret/ledger.ts';
import { BYTES_PER_UNIT } from '../../dynamodb/bounded-regret/limits.ts';
import { keyPart } from '../../dynamodb/reader/keyed-items.ts';
import type { RoundControl } from '../../dynamodb/reader/lookup-rounds.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { ItemKey, TableRead } from '../../dynamodb/table-read.ts';
import type { IndexLookupChoice } from '../../planning/index-lookup.ts';
import type { LookupChoice, LookupChoices } from './lookup-choice.ts';

/** What entries of an index cost is little beside their items; more of them than the fallback is worth are of no use. */
function countingEntries(
  choice: LookupChoice,
  { keys, unitsPerKey }: IndexLookupChoice,
  unitsMax: number,
): RoundControl {
  const index =
    keys.table.indexes.find(({ name }) => 'index' in keys.path && name === keys.path.index) ?? null;
  const bytes = (unitsMax / unitsPerKey + 1) * sizeOf(keys.table, index).itemBytes;
  return {
    unitsPerRow: unitsPerKey,
    next() {
      const round = choice.next();
      if (round === null) return null;
      const ranges = Math.min(round.requests, choice.ledger.price.keys);
      return { ...round, pageUnits: Math.max(leastUnits(keys.consistent), bytes / BYTES_PER_UNIT / ranges) };
    },
    answered: (answer) => choice.answered(answer),
  };
}

/**
 * The lookup of the keys that the index gave; null, as soon as that is clear, where they and the entries that are left are
 * expected to cost more than `unitsMax`. `lookup`: what the index lookup itself was to read.
 */
export async function resolveIndexLookup(
  lookup: TableRead,
  counted: IndexLookupChoice,
  unitsMax: number,
  choices: LookupChoices,
  batchesOf: (read: TableRead, rounds: RoundControl) => AsyncIterable<ReadBatch>,
): Promise<TableRead | null> {
  const { keys: keysRead, unitsPerKey } = counted;
  const { path, table, consistent } = keysRead;
  const ranges = path.kind === 'Query' ? path.ranges.length : 1;
  const opened = openLedger(
    { keys: ranges, floor: leastUnits(consistent), scan: Infinity },
    { units: lookup.estimate.units / ranges, weight: 0 },
  );
  if (decideBefore([opened], unitsMax) === 'certainPath') return null;
  const choice = choices(opened, unitsPerKey);
  const { partitionKey, sortKey } = table.key;
  const keys: ItemKey[] = [];
  const entries = { ...keysRead, stepOf: lookup };
  for await (const { batch } of batchesOf(entries, countingEntries(choice, counted, unitsMax))) {
    for (let row = 0; row < batch.rowCount; row++) {
      const partition = keyPart(batch.columns[0], row, partitionKey.type);
      keys.push({
        partition,
        sort: sortKey === null ? null : keyPart(batch.columns[1], row, sortKey.type),
      });
    }
  }
  if (choice.fellBack || keys.length * unitsPerKey > unitsMax) return null;
  return { ...lookup, stepOf: lookup, path: { kind: 'BatchGetItem', keys }, filter: null };
}
