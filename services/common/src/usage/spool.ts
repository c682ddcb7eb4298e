import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageEvent } from './event.ts';
import { toSpoolLine } from './event.ts';
import { SEGMENT_EVENTS_MAX } from './limits.ts';

/** Ends the name of a segment that its process may still write to. */
export const openSuffix = '.jsonl';
/** Ends the name of a segment that was claimed for replay: nobody writes to it any more. */
export const claimedSuffix = '.jsonl.claimed';

/** Events on disk, for while Redis is away. */
interface Spool {
  /** Resolves when the event is on disk (fsync). Rejects where the disk fails. */
  append(event: UsageEvent): Promise<void>;
  /** Ends the segment being written, so that it can be replayed whole; the next event begins a new one. */
  seal(): Promise<void>;
}

interface Segment {
  readonly path: string;
  readonly file: FileHandle;
  readonly inode: number;
  events: number;
}

interface Waiting {
  readonly event: UsageEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes a segment for replay, by renaming it; null where somebody else was faster.
 *
 * Its owner may be alive and about to write: it looks, after each write, whether its file is still where it was, and
 * if not writes the same events again to a new segment. So what the claimant reads after the rename is either all
 * that the owner has acknowledged, or is on disk elsewhere too, and events are counted once by their ID. That makes
 * it safe to take over a segment without knowing whether its process lives.
 */
export async function claimSegment(path: string): Promise<string | null> {
  const claimed = path.slice(0, -openSuffix.length) + claimedSuffix;
  try {
    await rename(path, claimed);
    return claimed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** One append-only file a process; callers that wait at the same time share one fsync. */
export function createSpool(dir: string): Spool {
  let segment: Segment | null = null;
  let waiting: Waiting[] = [];
  let turn: Promise<void> = Promise.resolve();

  async function openSegment(): Promise<Segment> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, `usage-${process.pid}-${randomUUID()}${openSuffix}`);
    const file = await open(path, 'ax', 0o600);
    try {
      const { ino } = await file.stat();
      // A new file survives a power cut only once its directory is on disk too (fsync(2)).
      const directory = await open(dir, 'r');
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
      return { path, file, inode: ino, events: 0 };
    } catch (error) {
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
      throw error;
    }
  }

  async function drop(): Promise<void> {
    const last = segment;
    segment = null;
    await last?.file.close().catch(() => undefined);
  }

  async function isStillOurs({ path, inode }: Segment): Promise<boolean> {
    const found = await stat(path).catch(() => null);
    return found?.ino === inode;
  }

  async function write(events: readonly UsageEvent[]): Promise<void> {
    const lines = events.map(toSpoolLine).join('');
    for (;;) {
      segment ??= await openSegment();
      try {
        await segment.file.appendFile(lines);
        await segment.file.datasync();
        if (await isStillOurs(segment)) {
          segment.events += events.length;
          if (segment.events >= SEGMENT_EVENTS_MAX) await drop();
          return;
        }
      } catch (error) {
        // Half a line may have been written; the next event must not be glued to it. A full disk would otherwise get
        // one more file of which nothing counts for each event that it refuses.
        const { path, events: kept } = segment;
        await drop();
        if (kept === 0) await unlink(path).catch(() => undefined);
        throw error;
      }
      await drop();
    }
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await write(batch.map(({ event }) => event));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    append(event) {
      return new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject });
        turn = turn.then(flush);
      });
    },
    seal() {
      turn = turn.then(drop);
      return turn;
    },
  };
}
