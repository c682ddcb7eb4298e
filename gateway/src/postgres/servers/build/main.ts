/**
 * `node gateway/src/postgres/servers/build/main.ts`: makes `gateway/dist/postgres` of npm's package of PostgreSQL: the program
 * without what could be loaded or created with it, a hardened cluster as the template of tenants' servers,
 * parameters.json (what a plain session is told when it starts) and manifest.json, which comes last.
 */
import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverIdentity } from '../identity.ts';
import { copyForBuild, copyForServers } from './package.ts';
import { makeTemplate } from './template.ts';

const FOLDER = join(import.meta.dirname, '../../../../dist/postgres');

/** Whoever runs a server reads it, and none writes it: it is whose the checkout is. Nothing in it is a secret. */
async function makeReadable(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chown(path, uid, gid);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644);
  }
}

// As root, the server runs as somebody else, who may not be able to read the checkout: all is done in a folder for it.
const work = await mkdtemp(join(tmpdir(), 'penstock-build-'));
const unfinished = `${FOLDER}.${process.pid}`;
try {
  await chmod(work, 0o711);
  const programFolder = join(work, 'program');
  await copyForBuild(programFolder);
  await makeReadable(programFolder);
  const { dataFolder, parameters } = await makeTemplate(programFolder, work, serverIdentity());
  await mkdir(unfinished, { recursive: true });
  await copyForServers(join(unfinished, 'program'));
  await cp(dataFolder, join(unfinished, 'template'), { recursive: true });
  const version = execFileSync(join(programFolder, 'bin/postgres'), ['--version'], {
    encoding: 'utf8',
  }).trim();
  const json = (name: string, value: unknown): Promise<void> =>
    writeFile(join(unfinished, name), `${JSON.stringify(value, null, 2)}\n`);
  await json('parameters.json', parameters);
  await json('manifest.json', { version });
  await makeReadable(unfinished);
  const before = `${unfinished}.before`;
  await rename(FOLDER, before).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rename(unfinished, FOLDER);
  await rm(before, { recursive: true, force: true });
} finally {
  await rm(work, { recursive: true, force: true });
  await rm(unfinished, { recursive: true, force: true });
}
