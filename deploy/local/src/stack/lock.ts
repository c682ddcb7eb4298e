import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @throws Error saying why the folder of the data cannot be one */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(join(dataDir, 'logs'), { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : `it cannot be made (${code})`;
    throw new Error(`no data can be kept in ${dataDir}: ${why}; set PENSTOCK_DATA_DIR to another folder`, {
      cause: error,
    });
  }
}

/**
 * One stack a data folder: two would write the same files.
 * @throws Error naming the process that holds it
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const file = join(dataDir, 'stack.pid');
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (holder > 0 && holder !== process.pid && (await isStack(holder))) {
    throw new Error(
      `${dataDir} is in use by the stack with process ID ${holder}: stop it, or set PENSTOCK_DATA_DIR to another folder`,
    );
  }
  await writeFile(file, String(process.pid));
  return { release: () => rm(file, { force: true }) };
}

/** A process ID may have been given to something else since; where the system tells, its command line decides. */
async function isStack(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'node');
  return commandLine.includes('node') || commandLine.includes('mocha');
}
