import type { Clock } from '@penstock/common/time/clock.ts';
import { NOTHING_USED, requestEvent, usageEventIds } from '@penstock/common/usage/event.ts';
import type { UsageRecorder } from '@penstock/common/usage/recorder.ts';

/** What the gateway records of statements. Rows and read units are recorded by the engine that read them. */
export interface QueryUsage {
  /** @throws PenstockError UNAVAILABLE while usage cannot be recorded */
  ensureAble(): void;
  /** Counts one request, whatever becomes of it. It is counted for certain once this resolves. */
  recordRequest(tenantId: string, usageId: string): Promise<void>;
  /**
   * Takes back the rows of a run whose answer did not arrive. The engine may have counted them already, or count them
   * later. They are taken back for certain once this resolves.
   */
  takeBackRows(tenantId: string, usageId: string): Promise<void>;
  /** Counts the rows that were taken of a run that was given up: after `takeBackRows`, once for a run. */
  recordRows(tenantId: string, usageId: string, rowsReturned: number): Promise<void>;
}

/** Records under the event IDs of a usage ID, so that an event that is recorded twice counts once. */
export function createQueryUsage(
  recorder: Pick<UsageRecorder, 'record' | 'ensureAble'>,
  clock: Clock,
): QueryUsage {
  return Object.freeze({
    ensureAble: () => recorder.ensureAble(),
    recordRequest: (tenantId: string, usageId: string) =>
      recorder.record(requestEvent(tenantId, usageId, clock.now())),
    recordRows: (tenantId: string, usageId: string, rowsReturned: number) =>
      recorder.record({
        ...NOTHING_USED,
        id: usageEventIds(usageId).taken,
        tenantId,
        at: clock.now(),
        rowsReturned,
      }),
    takeBackRows: (tenantId: string, usageId: string) => {
      const { lost, reads } = usageEventIds(usageId);
      return recorder.record({
        id: lost,
        tenantId,
        at: clock.now(),
        ...NOTHING_USED,
        voids: reads,
      });
    },
  });
}
