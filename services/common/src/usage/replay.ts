import { createReadStream } from 'node:fs';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from '../logging/logger.ts';
import type { UsageEvent } from './event.ts';
import { fromSpoolLine } from './event.ts';
import { REPLAY_BATCH_EVENTS, SEGMENT_IDLE_MS } from './limits.ts';
import { claimedSuffix, claimSegment, openSuffix } from './spool.ts';

/** What a replay needs. `send` resolves when the event is safe, and is harmless when called again. */
interface ReplaySource {
  readonly dir: string;
  readonly send: (event: UsageEvent) => Promise<void>;
  /**
   * Told of events whose file is gone, so that nothing will send them again. Not before: a replay that breaks off sends
   * the whole file again, however long Redis was away meanwhile.
   */
  readonly replayed: (ids: readonly string[]) => void;
  readonly logger: Logger;
  /** Take over segments however fresh (at start, and when closing). */
  readonly evenFresh: boolean;
}

async function list(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isIdle(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs >= SEGMENT_IDLE_MS;
}

/** Sends all events of a claimed segment. Gives their IDs, and how many damaged lines are not just a half-written end. */
async function sendSegment(
  path: string,
  send: ReplaySource['send'],
): Promise<{ ids: readonly string[]; damaged: number }> {
  let batch: UsageEvent[] = [];
  const ids: string[] = [];
  let damaged = 0;
  let lastLineBad = false;
  const sendBatch = async (): Promise<void> => {
    await Promise.all(batch.map(send));
    ids.push(...batch.map(({ id }) => id));
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (lastLineBad) damaged += 1;
    const event = fromSpoolLine(line);
    lastLineBad = event === null;
    if (event !== null) batch.push(event);
    if (batch.length >= REPLAY_BATCH_EVENTS) await sendBatch();
  }
  await sendBatch();
  return { ids, damaged };
}

async function replaySegment(path: string, { send, replayed, logger }: ReplaySource): Promise<number> {
  const { ids, damaged } = await sendSegment(path, send);
  if (damaged === 0) {
    // Another process may have replayed the same claimed segment; then it is gone already.
    await unlink(path).catch(() => undefined);
    replayed(ids);
  } else {
    await rename(path, `${path}.damaged`);
    logger.error(
      { path: `${path}.damaged`, damaged },
      'spooled usage has lines that cannot be read; the file is kept',
    );
  }
  return ids.length;
}

/**
 * Sends what lies in the spool directory, of this process and of others that are gone, and removes each file once
 * all of it is safe. Rejects where `send` does; the rest stays for the next time. Gives the number of events sent.
 */
export async function replaySpool(source: ReplaySource): Promise<number> {
  let events = 0;
  for (const name of await list(source.dir)) {
    const path = join(source.dir, name);
    if (name.endsWith(claimedSuffix)) {
      events += await replaySegment(path, source);
    } else if (name.endsWith(openSuffix) && (source.evenFresh || (await isIdle(path)))) {
      const claimed = await claimSegment(path);
      if (claimed !== null) events += await replaySegment(claimed, source);
    }
  }
  if (events > 0) source.logger.info({ events }, 'spooled usage replayed');
  return events;
}
