/** The folder that has the servers of this process. */
import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { serverIdentity, type ServerIdentity } from './identity.ts';
import { startKeeper } from './keeper.ts';
import { FOLDER_PREFIX, removeLeftovers, signFolder } from './leftovers.ts';
import { OWNER_SILENT_MS_MAX } from './limits.ts';

const run = promisify(execFile);

/** What `make install` makes. */
export const BUILT_FOLDER = join(import.meta.dirname, '../../../dist/postgres');

export interface TemplateEntry {
  /** Below the template's folder. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

export interface ProcessFolder {
  readonly path: string;
  readonly programFolder: string;
  readonly templateFolder: string;
  /** All that is in the template, folders before what they have. */
  readonly template: readonly TemplateEntry[];
  readonly identity: ServerIdentity | null;
  close(): Promise<void>;
}

/** A socket's path may have 104 bytes on macOS, whose folder for temporary files has 49 of them. */
const PARENT_BYTES_MAX = 60;

async function templateEntries(folder: string): Promise<readonly TemplateEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .map((entry): TemplateEntry => ({
      path: relative(folder, join(entry.parentPath, entry.name)),
      kind: entry.isDirectory() ? 'folder' : 'file',
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The program where the servers' user can run it: a checkout may lie in a folder that is root's alone. */
async function runnable(
  programFolder: string,
  folder: string,
  identity: ServerIdentity | null,
): Promise<string> {
  if (identity === null) return programFolder;
  try {
    await run(join(programFolder, 'bin/postgres'), ['--version'], { ...identity, cwd: '/', env: {} });
    return programFolder;
  } catch {
    const copied = join(folder, 'program');
    await cp(programFolder, copied, { recursive: true, verbatimSymlinks: true });
    return copied;
  }
}

/** A folder that a server's user can reach, with a path that is short enough for a socket's. */
async function parentFolder(wanted: string | undefined, identity: ServerIdentity | null): Promise<string> {
  const isShort = (path: string): boolean => Buffer.byteLength(path) <= PARENT_BYTES_MAX;
  if (wanted === undefined || identity !== null || !isShort(wanted))
    return isShort(tmpdir()) ? tmpdir() : '/tmp';
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  return wanted;
}

/** Rejects where the program was not built, or cannot be run. */
export async function openProcessFolder({
  builtFolder = BUILT_FOLDER,
  folder,
  sweepMs = OWNER_SILENT_MS_MAX,
}: {
  readonly builtFolder?: string;
  readonly folder?: string;
  readonly sweepMs?: number;
} = {}): Promise<ProcessFolder> {
  const identity = serverIdentity();
  const parent = await parentFolder(folder, identity);
  const path = await mkdtemp(join(parent, FOLDER_PREFIX));
  try {
    const unsign = await signFolder(path);
    await chmod(path, 0o700);
    if (identity !== null) await chown(path, identity.uid, identity.gid);
    const programFolder = await runnable(join(builtFolder, 'program'), path, identity);
    const templateFolder = join(builtFolder, 'template');
    const template = await templateEntries(templateFolder);
    const keeper = startKeeper(path, identity);
    void removeLeftovers(parent, path);
    // A folder that may have a living owner now can turn out to have none later.
    const sweep = setInterval(() => void removeLeftovers(parent, path), sweepMs);
    sweep.unref();
    return {
      ...{ path, programFolder, templateFolder, template, identity },
      async close() {
        clearInterval(sweep);
        unsign();
        keeper.close();
        await rm(path, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}
