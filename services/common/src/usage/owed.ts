import type { UsageEvent } from './event.ts';
import { OWED_BATCH_EVENTS } from './limits.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * Events that neither Redis nor the disk took: kept in memory, since what they count did happen, until one of the two
 * takes them. They are few: nobody is let in while there are any (`ensureAble` of the recorder), so they come from what
 * was under way when both went.
 */
export interface OwedEvents {
  readonly count: number;
  add(event: UsageEvent): void;
  /** Forgets an event that was taken after all. */
  remove(eventId: string): void;
  /** Offers them to `take`, which rejects where it cannot; ends early, and quietly, where it does. */
  offer(take: (event: UsageEvent) => Promise<void>): Promise<void>;
  list(): readonly UsageEvent[];
}

export function createOwedEvents(): OwedEvents {
  const events = new Map<string, UsageEvent>();

  async function offerOne(event: UsageEvent, take: (event: UsageEvent) => Promise<void>): Promise<boolean> {
    try {
      await take(event);
    } catch {
      return false;
    }
    events.delete(event.id);
    return true;
  }

  return {
    get count() {
      return events.size;
    },
    add: (event) => void events.set(event.id, event),
    remove: (eventId) => void events.delete(eventId),
    list: () => [...events.values()],
    async offer(take) {
      // One first: while nobody takes it, the others need not wait for the same answer.
      let batch = [...events.values()].slice(0, 1);
      while (batch.length > 0) {
        const taken = await Promise.all(batch.map((event) => offerOne(event, take)));
        if (taken.includes(false)) return;
        batch = [...events.values()].slice(0, OWED_BATCH_EVENTS);
      }
    },
  };
}

/**
 * Reports how much usage is in memory only, because neither Redis nor the disk took it. No query is admitted
 * meanwhile.
 */
export function observeOwed(metrics: Metrics, owed: Pick<OwedEvents, 'count'>): void {
  metrics.observe(
    'penstock_usage_owed_events',
    'Usage that neither Redis nor the disk takes; queries are refused meanwhile.',
    [],
    () => [{ labels: {}, value: owed.count }],
  );
}
