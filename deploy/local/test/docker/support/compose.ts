import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ROOT } from './image.ts';

const run = promisify(execFile);

const CONFIG_MS_MAX = 30_000;
const INSTALL_MS_MAX = 240_000;

/** A service as `docker compose config` gives it, variables replaced and anchors merged. */
export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly target?: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly unknown[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: unknown;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

/**
 * Has Compose itself read compose files, which fails where one is not valid; no Docker engine is needed.
 * Takes `docker compose`, else `docker-compose`, else Debian's package, which is installed where this runs as root.
 */
export async function composeConfig(
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ComposeFile> {
  const [program = '', ...args] = await composeProgram();
  const { stdout } = await run(program, [...args, ...files.flatMap((file) => ['--file', file]), 'config'], {
    cwd: ROOT,
    timeout: CONFIG_MS_MAX,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  return parse(stdout) as ComposeFile;
}

async function composeProgram(): Promise<readonly string[]> {
  const known = [['docker', 'compose'], ['docker-compose']];
  for (const command of known) if (await works(command)) return command;
  if (process.getuid?.() === 0) {
    await run('apt-get', ['update'], { timeout: INSTALL_MS_MAX });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'docker-compose'], {
      timeout: INSTALL_MS_MAX,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (await works(['docker-compose'])) return ['docker-compose'];
  }
  throw new Error(
    'Docker Compose was not found. Install it (for example `apt-get install docker-compose`): it checks the compose file, and needs no Docker engine for that.',
  );
}

async function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return run(program, [...args, 'version'], { timeout: CONFIG_MS_MAX }).then(
    () => true,
    () => false,
  );
}
