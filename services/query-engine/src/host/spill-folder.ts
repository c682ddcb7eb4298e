/**
 * The folder that this process's DuckDB spills to, and the end of those that dead processes left behind.
 *
 * It lies apart from the spool of usage, so that an operator can give it a volume of its own. Where it shares the spool's
 * disk, it leaves room for the spool.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SPILL_STALE_MS, SPILL_TOUCH_MS, USAGE_RESERVE_MB } from './limits.ts';

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
}

/** Who made a folder, by its name; `host` null: before hosts were in the name. */
function ownerOf(name: string): { readonly pid: number; readonly host: string | null } | null {
  const [, pid, host = null] = /^(?:engine-(?=.*@)|query-temp-)(\d+)(?:-[0-9a-f-]+@(.+))?$/.exec(name) ?? [];
  return pid === undefined ? null : { pid: Number(pid), host };
}

/** False where no such process is on this machine, or it is this one, which has made no folder yet. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * A process of this host is known by its ID. One of another host (a container that shares the volume) and one whose ID
 * may be somebody else's by now are alive while they touch their folder.
 */
async function isDead(folder: string, name: string): Promise<boolean> {
  const owner = ownerOf(name);
  if (owner === null) return false;
  if ((owner.host === null || owner.host === hostname()) && !isAlive(owner.pid)) return true;
  const made = await stat(folder).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > SPILL_STALE_MS;
}

async function removeDead(parent: string, own: string | null): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    if (folder === own || !(await isDead(folder, name))) continue;
    // Another engine may be at the same.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
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
export async function openSpillFolder({ dataDir, maxMb }: SpillFolderOptions): Promise<SpillFolder> {
  process.umask(0o077);
  const parent = join(dataDir, 'spill');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeDead(parent, null);
  // Where they were before they had a place of their own.
  await removeDead(dataDir, null);
  const path = join(parent, `engine-${process.pid}-${randomUUID()}@${hostname()}`);
  await mkdir(path, { mode: 0o700 });
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now)
      .catch(() => undefined)
      .then(() => removeDead(parent, path));
  }, SPILL_TOUCH_MS).unref();
  return {
    path,
    maxMb: await bounded(parent, dataDir, maxMb),
    async close() {
      clearInterval(timer);
      await rm(path, { recursive: true, force: true });
    },
  };
}
