/** Folders that belong to one engine each, and how to tell that their engine is dead. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { SPILL_STALE_MS } from './limits.ts';

/** A new name, of this process. */
export const engineFolderName = (): string => `engine-${process.pid}-${randomUUID()}@${hostname()}`;

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
export async function isDead(folder: string, name: string): Promise<boolean> {
  const owner = ownerOf(name);
  if (owner === null) return false;
  if ((owner.host === null || owner.host === hostname()) && !isAlive(owner.pid)) return true;
  const made = await stat(folder).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > SPILL_STALE_MS;
}
