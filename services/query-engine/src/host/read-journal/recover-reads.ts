/** Records what the queries of a dead engine had read. */
import { join } from 'node:path';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { unitsInRecord } from '../../pipe/work-record.ts';
import { hasJournal, readJournal, type UnrecordedReads } from './journal-file.ts';
import { workerFolder, WORK_RECORD } from '../worker-folder.ts';

/** What each query of a dead engine had read, by the records of the workers that had them. */
async function unitsRead(
  folder: string,
  found: readonly UnrecordedReads[],
): Promise<ReadonlyMap<number, number>> {
  const read = new Map<number, number>();
  const workers = new Set(found.flatMap(({ attempts }) => attempts.map(([worker]) => worker)));
  for (const worker of workers) {
    // Without a record the worker had not begun.
    const units = await unitsInRecord(join(workerFolder(folder, worker), WORK_RECORD)).catch(
      () => new Map<number, number>(),
    );
    // No two queries of an engine have one number.
    for (const [query, halfUnits] of units) read.set(query, halfUnits);
  }
  return read;
}

/**
 * To be called once no worker of the engine is left. Rejects where not all of it was recorded: then it can be called
 * again, also by another engine, and what is recorded twice counts once. Gives the half units.
 */
export async function recoverReads(
  folder: string,
  record: (event: UsageEvent) => Promise<void>,
): Promise<number> {
  if (!(await hasJournal(folder))) return 0;
  const found = await readJournal(folder);
  const read = await unitsRead(folder, found);
  const counted = new Set<number>();
  let total = 0;
  for (const { id, tenantId, clientId, at, halfUnits, attempts } of found) {
    let readHalfUnits = halfUnits;
    for (const [, query] of attempts) {
      if (!counted.has(query)) readHalfUnits += read.get(query) ?? 0;
      counted.add(query);
    }
    if (readHalfUnits === 0) continue;
    const whose = { id, tenantId, ...(clientId === undefined ? {} : { clientId }) };
    await record({ ...whose, at, requests: 0, rowsReturned: 0, readHalfUnits });
    total += readHalfUnits;
  }
  return total;
}
