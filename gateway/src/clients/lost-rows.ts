import type { Clock } from '@penstock/common/time/clock.ts';
import { usageEventIds } from '@penstock/common/usage/event.ts';
import type { UsageRecorder } from '@penstock/common/usage/recorder.ts';

/** Takes back the rows of a run whose answer did not arrive, counted by its engine or yet to be; durable when it resolves. */
export type TakeBackRows = (usageId: string) => Promise<void>;

export function takeBackRows(
  usage: Pick<UsageRecorder, 'record'>,
  tenantId: string,
  clock: Clock,
): TakeBackRows {
  return (usageId) => {
    const { lost, reads } = usageEventIds(usageId);
    const nothing = { requests: 0, rowsReturned: 0, readHalfUnits: 0 };
    return usage.record({ id: lost, tenantId, at: clock.now(), ...nothing, voids: reads });
  };
}
