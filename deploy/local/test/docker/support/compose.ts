import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { interpolate, merge, undefinedNames, type ComposeFile } from './compose-file.ts';
import { ROOT } from './image.ts';

export type { ComposeFile, ComposeService } from './compose-file.ts';

const CONFIG_MS_MAX = 30_000;
const COMPOSE = [['docker', 'compose'], ['docker-compose']] as const;

/**
 * Compose files as Compose reads them, later ones merged over earlier ones.
 * @param files relative to the repository's root
 * @throws Error where a name is not defined
 */
export async function composeConfig(
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ComposeFile> {
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  const compose = texts
    .map((text) => interpolate(parse(text, { merge: true }), env))
    .reduce((earlier, later) => merge(earlier, later)) as ComposeFile;
  const faults = undefinedNames(compose);
  if (faults.length > 0) throw new Error(`${files.join(', ')}: ${faults.join('; ')}`);
  return compose;
}

/** What composeConfig reads, by Compose itself (no Docker engine is needed for that); null where this machine has none. */
export async function readWithCompose(files: readonly string[]): Promise<ComposeFile | null> {
  const run = promisify(execFile);
  const options = {
    cwd: ROOT,
    timeout: CONFIG_MS_MAX,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  };
  for (const [program, ...args] of COMPOSE) {
    const found = await run(program, [...args, 'version'], options).catch(() => null);
    if (found === null) continue;
    const { stdout } = await run(
      program,
      [...args, ...files.flatMap((file) => ['--file', file]), 'config'],
      options,
    );
    return parse(stdout) as ComposeFile;
  }
  return null;
}

/** Holds what was read here against what Compose read. */
export function expectSame(ours: ComposeFile, theirs: ComposeFile): void {
  const seen = ({ services }: ComposeFile) =>
    Object.entries(services)
      .map(([name, { image, command, environment, read_only, cap_drop, security_opt }]) => ({
        name,
        image,
        command,
        environment,
        read_only,
        cap_drop,
        security_opt,
      }))
      .sort((a, b) => a.name.localeCompare(b.name));
  expect(seen(ours)).to.deep.equal(seen(theirs));
}
