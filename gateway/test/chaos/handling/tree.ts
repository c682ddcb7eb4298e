/** A copy of the repository to make edits in: whoever works in the original meanwhile does not notice. */
import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { applyEdit } from './apply-edit.ts';
import type { Edit } from './modes.ts';

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../../../..');
const FILE_LIST_BYTES_MAX = 64 * 1024 * 1024;
/** Workspaces refer to each other through this folder of node_modules: the copy's own must refer to the copy. */
const WORKSPACES = '@penstock';
/** Compiled code is kept by path, and the copy's paths never come again. */
const COMPILED = 'compile';

export interface Tree {
  /** The copy. */
  readonly root: string;
  /** For whatever tests write, so that it goes with the copy; its path is in the command line of all they start. */
  readonly temp: string;
  /** Does some work with a file edited, and puts it back. */
  edited<T>(edit: Edit, work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

async function linkAll(from: string, to: string, but: readonly string[]): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (!but.includes(name)) await symlink(join(from, name), join(to, name));
  }
}

async function linkModules(root: string): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(root, 'node_modules')];
  await linkAll(from, to, [WORKSPACES, '.cache']);
  await mkdir(join(from, '.cache/penstock'), { recursive: true });
  await linkAll(join(from, '.cache/penstock'), join(to, '.cache/penstock'), [COMPILED]);
  await mkdir(join(to, WORKSPACES));
  const original = await realpath(ROOT);
  for (const name of await readdir(join(from, WORKSPACES))) {
    const workspace = (await realpath(join(from, WORKSPACES, name))).slice(original.length + 1);
    await symlink(join(root, workspace), join(to, WORKSPACES, name));
  }
}

/** What is committed and what is not yet, without what is ignored. */
async function listFiles(): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', list, { cwd: ROOT, maxBuffer: FILE_LIST_BYTES_MAX });
  return stdout.split('\0').filter((name) => name !== '');
}

export async function copyTree(): Promise<Tree> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'penstock-handling-')));
  const [root, temp] = [join(top, 'tree'), join(top, 'temp')];
  for (const name of await listFiles()) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    // One that was deleted and is not committed as such is still listed.
    await copyFile(join(ROOT, name), join(root, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await linkModules(root);
  await mkdir(temp);
  return {
    root,
    temp,
    async edited(edit, work) {
      const path = join(root, edit.file);
      const original = await readFile(path, 'utf8');
      await writeFile(path, applyEdit(original, edit));
      try {
        return await work();
      } finally {
        await writeFile(path, original);
      }
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}
