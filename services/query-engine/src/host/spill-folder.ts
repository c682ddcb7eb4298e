/**
 * The folder that this process's DuckDB spills to, and the end of those that dead processes left behind.
 *
 * It lies apart from the spool of usage, so that an operator can give it a volume of its own. Where it shares the spool's
 * disk, it leaves room for the spool.
 */
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { engineFolderName, isDead } from './engine-folder.ts';
import { DEAD_LOOK_MS, DEAD_WORKERS_GONE_MS, SPILL_TOUCH_MS, USAGE_RESERVE_MB } from './limits.ts';
import { hasJournal } from './read-journal/journal-file.ts';
import { SPILLED } from './worker-folder.ts';

const MIB = 1024 * 1024;

export interface SpillFolder {
  /** Of this process alone, readable by its user alone. */
  readonly path: string;
  /** What may be spilled, MiB: what was asked for, or less where usage needs the disk too. */
  readonly maxMb: number;
  /** Removes it, with what is in it. */
  close(): Promise<void>;
}

export interface SpillFolderOptions {
  /** The process's data; the spool of usage lies in it. */
  readonly dataDir: string;
  readonly maxMb: number;
  /** Takes from a dead process's folder what its queries had read, before it is removed. It is kept where that fails. */
  readonly recover: (folder: string) => Promise<void>;
}

/** Another engine may be at the same. */
const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true }).catch(() => undefined);

/** Frees the disk of what workers spilled, and leaves the records of what they read. */
async function removeSpilled(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await remove(join(folder, name, SPILLED));
}

/** Removes what dead processes left, in one look after the other. */
function createRemover(parent: string, recover: SpillFolderOptions['recover']) {
  /** When each was first seen to be dead. */
  const dead = new Map<string, number>();
  const lookAt = async (name: string): Promise<void> => {
    const folder = join(parent, name);
    if (!(await isDead(folder, name))) return;
    if (await hasJournal(folder)) {
      const since = dead.get(name) ?? performance.now();
      dead.set(name, since);
      await removeSpilled(folder);
      // Its workers end by themselves, and until then they read on.
      if (performance.now() - since < DEAD_WORKERS_GONE_MS) return;
      await recover(folder);
    }
    await remove(folder);
    dead.delete(name);
  };
  return async (own: string | null): Promise<void> => {
    for (const name of await readdir(parent).catch(() => []))
      if (name !== own) await lookAt(name).catch(() => undefined);
  };
}

/** Free space less what usage may need, where both are on one disk. */
async function bounded(spill: string, dataDir: string, maxMb: number): Promise<number> {
  const [ofSpill, ofData] = [await stat(spill), await stat(dataDir)];
  if (ofSpill.dev !== ofData.dev) return maxMb;
  const { bavail, bsize } = await statfs(spill);
  return Math.max(0, Math.min(maxMb, Math.floor((bavail * bsize) / MIB) - USAGE_RESERVE_MB));
}

/**
 * Removes what dead processes left and makes this one's folder. From now on the process's files are its user's alone:
 * DuckDB takes no mode for what it spills. Throws where the disk does not take the folder.
 */
export async function openSpillFolder(options: SpillFolderOptions): Promise<SpillFolder> {
  const { dataDir, maxMb, recover } = options;
  process.umask(0o077);
  const parent = join(dataDir, 'spill');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const removeDead = createRemover(parent, recover);
  await removeDead(null);
  // Where they were before they had a place of their own.
  await createRemover(dataDir, recover)(null);
  const name = engineFolderName();
  const path = join(parent, name);
  await mkdir(path, { mode: 0o700 });
  let looking: Promise<void> | null = null;
  const lookForDead = (): void => {
    looking ??= removeDead(name).finally(() => (looking = null));
  };
  const timers = [
    setInterval(() => {
      const now = new Date();
      void utimes(path, now, now).catch(() => undefined);
    }, SPILL_TOUCH_MS),
    setInterval(lookForDead, DEAD_LOOK_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    path,
    maxMb: await bounded(parent, dataDir, maxMb),
    async close() {
      for (const timer of timers) clearInterval(timer);
      await looking;
      await rm(path, { recursive: true, force: true });
    },
  };
}
