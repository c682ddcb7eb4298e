/** Meters what one query reads and returns, and records it once. */
import type { HandlerContext } from '@connectrpc/connect';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { loggerOf, principalOf, usageIdOf } from '@penstock/common/rpc/call-context.ts';
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import { annotate } from '@penstock/common/telemetry/spans.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { NOTHING_USED, requestEvent, usageEventIds, type UsageEvent } from '@penstock/common/usage/event.ts';
import type { UsageRecorder } from '@penstock/common/usage/recorder.ts';
import { createUnitCount, type UnitCount } from '../host/queries/unit-count.ts';
import type { JournalEntry, ReadJournal } from '../host/read-journal/read-journal.ts';

export interface QueryUsageParts {
  readonly recorder: Pick<UsageRecorder, 'record' | 'ensureAble'>;
  readonly journal: ReadJournal;
  readonly clock?: Clock;
  /** Told what each query came to, however it ended. */
  readonly onUsage?: (rowsReturned: number, readHalfUnits: number) => void;
}

/** What is metered of one query. */
export interface QueryUsage {
  readonly units: UnitCount;
  /** The request is recorded, too. */
  readonly countsRequest: boolean;
  /**
   * Records what was read and returned, once. Rejects with UNAVAILABLE where nobody takes it: the rows must then not be
   * returned, and are taken back.
   */
  readonly record: (rowsReturned: number) => Promise<void>;
  /** Records what was read without a row being returned, unless it is recorded. Never rejects. */
  readonly recordFailed: () => Promise<void>;
}

export interface QueryUsages {
  /**
   * Throws UNAVAILABLE where nobody could record it: what nobody can record must not be consumed. `countsRequest`: that it
   * was asked for is recorded along with what it came to, where the call has a usage ID.
   */
  begin(context: HandlerContext, countsRequest: boolean): QueryUsage;
}

/** The API client that calls; null: a user. */
export function clientOf(context: HandlerContext): string | null {
  const { principalId, principalType } = principalOf(context);
  return principalType === 'client' ? principalId : null;
}

export function createQueryUsages(parts: QueryUsageParts): QueryUsages {
  const { recorder, journal, clock = systemClock, onUsage } = parts;
  /** Of events that the recorder has only in memory. */
  const owed: JournalEntry[] = [];

  const recordEvents = async (entry: JournalEntry, ...events: readonly UsageEvent[]): Promise<void> => {
    try {
      await recorder.record(...events);
      entry.close();
    } catch (error) {
      owed.push(entry);
      throw error;
    }
  };

  const begin = (context: HandlerContext, wantsRequest: boolean): QueryUsage => {
    recorder.ensureAble();
    // It has none in memory any more.
    for (const entry of owed.splice(0)) entry.close();
    const given = usageIdOf(context);
    const usageId = given ?? uuidV7();
    const ids = usageEventIds(usageId);
    const countsRequest = wantsRequest && given !== null;
    const { tenantId } = principalOf(context);
    const { principalId: clientId } = principalOf(context);
    const whose = { tenantId, clientId };
    const nothing = { ...whose, ...NOTHING_USED };
    const entry = journal.open({ ...whose, id: ids.reads, at: clock.now() });
    let recorded = false;
    // What a worker says after its query was answered elsewhere.
    const units = createUnitCount(entry, (readHalfUnits, own) => {
      onUsage?.(0, readHalfUnits);
      const event = { ...nothing, at: clock.now(), id: own.id, readHalfUnits };
      recordEvents(own, event).catch((error: unknown) => {
        loggerOf(context).error({ err: error }, 'usage could not be recorded');
      });
    });

    async function record(rowsReturned: number): Promise<void> {
      if (recorded) return;
      recorded = true;
      const readHalfUnits = units.close();
      onUsage?.(rowsReturned, readHalfUnits);
      annotate(() => ({ [ATTRIBUTES.rows]: rowsReturned, [ATTRIBUTES.readUnits]: readHalfUnits / 2 }));
      const event = { ...nothing, at: clock.now() };
      try {
        await recordEvents(
          entry,
          { ...event, id: ids.reads, rowsReturned, readHalfUnits },
          ...(countsRequest ? [requestEvent(tenantId, usageId, event.at)] : []),
        );
      } catch (error) {
        loggerOf(context).error({ err: error }, 'usage could not be recorded');
        // The recorder keeps both; there is no need to wait for an answer that is known.
        if (rowsReturned > 0)
          recorder.record({ ...event, id: ids.lost, voids: ids.reads }).catch(() => undefined);
        throw error;
      }
    }

    return { units, countsRequest, record, recordFailed: () => record(0).catch(() => undefined) };
  };
  return { begin };
}
