/** Folders of servers whose owner was killed, and its keeper with it. */
import { readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_SIGN_MS, OWNER_SILENT_MS_MAX } from './limits.ts';
import { commandLine, processFacts, processesNamed, signalProcess } from './processes.ts';

export const FOLDER_PREFIX = 'penstock-pg-';
const OWNER_FILE = 'owner';

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one of the same number; empty where the system does not say. */
  readonly started: string;
  /** Of numbers of processes: containers that share a folder do not see each other's processes. */
  readonly namespace: string;
}

const namespace = (): Promise<string> => readlink('/proc/self/ns/pid').catch(() => '');

const thisOwner = async (): Promise<Owner> => ({
  pid: process.pid,
  started: processFacts(process.pid)?.started ?? '',
  namespace: await namespace(),
});

/** Says whose a folder is, and from time to time that its owner lives. Stopped by what it returns. */
export async function signFolder(folder: string): Promise<() => void> {
  const path = join(folder, OWNER_FILE);
  await writeFile(path, JSON.stringify(await thisOwner()));
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, OWNER_SIGN_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function isRunning({ pid, started }: Owner): boolean {
  const facts = processFacts(pid);
  if (facts !== null) return started === '' || facts.started === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isLeftOver(folder: string, here: string): Promise<boolean> {
  const path = join(folder, OWNER_FILE);
  // Where nobody has signed yet, somebody is about to.
  const { mtimeMs } = await stat(path).catch(() => stat(folder));
  const isSilent = Date.now() - mtimeMs > OWNER_SILENT_MS_MAX;
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Owner;
    return owner.namespace === here ? !isRunning(owner) : isSilent;
  } catch {
    return isSilent;
  }
}

/** Ends servers of a folder whose owner is gone, and removes it. */
async function remove(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry, 'data/postmaster.pid');
    const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
    if (!(pid > 0)) continue;
    const line = commandLine(pid);
    // The number may be another process's by now. Where the system does not tell, the file is what there is.
    if (line.includes(folder) || process.platform !== 'linux') signalProcess(pid, 'SIGQUIT');
  }
  for (const pid of processesNamed(`${folder}/`)) signalProcess(pid, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Looks through the folder that has the folders of all processes. What is another user's is left alone. */
export async function removeLeftovers(parent: string, own: string): Promise<void> {
  const here = await namespace();
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names) {
    const folder = join(parent, name);
    if (folder === own) continue;
    try {
      if (await isLeftOver(folder, here)) await remove(folder);
    } catch {
      // Another user's, or removed by another process that starts.
    }
  }
}
