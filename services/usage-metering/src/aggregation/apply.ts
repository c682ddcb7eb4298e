import { plus, zeroCounts } from '../counts.ts';
import { CONFLICT_TRIES_MAX } from '../limits.ts';
import type { CounterStore } from '../store/counters.ts';
import { isLater } from '../stream/entries.ts';
import type { Group } from './group.ts';

/**
 * Counts a group once, whatever happened before. Entries up to the counter's `appliedTo` of the epoch are counted
 * already, and the update is conditional on it. So of two drainers one adds, and the other finds nothing left to add.
 * The same holds for a second try after a first one that took effect without an answer. Resolves when all entries of
 * the group are counted.
 */
export async function applyGroup(
  counters: CounterStore,
  { tenantId, day, epoch, entries }: Group,
): Promise<void> {
  for (let tries = 0; tries < CONFLICT_TRIES_MAX; tries += 1) {
    const previous = (await counters.get(tenantId, day))?.appliedTo.get(epoch) ?? null;
    const left = entries.filter(({ id }) => isLater(id, previous));
    const last = left.at(-1);
    if (last === undefined) return;
    const counts = left.reduce((sum, { event }) => plus(sum, event), zeroCounts);
    if (await counters.add(tenantId, day, counts, { epoch, previous, to: last.id })) return;
  }
  throw new Error('A usage counter was changed by others at each try');
}
