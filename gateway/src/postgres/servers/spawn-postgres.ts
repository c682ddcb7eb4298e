/** Starts the program, bounded by the operating system. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { ServerIdentity } from './identity.ts';
import { ADDRESS_SPACE_KIB_MAX, FILE_KIB_MAX, SERVER_NICENESS } from './limits.ts';
import { postgresArguments, type ServerPlace } from './postgres-settings.ts';
import { lowerPriority } from './processes.ts';

/**
 * Only a shell sets limits for what it becomes. Its text is constant: what differs comes as arguments. macOS bounds no
 * address space, and has no file for what goes first where memory is out.
 */
const SCRIPT = `
ulimit -c 0
ulimit -f "$1"
ulimit -v "$2" 2>/dev/null
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
shift 2
exec "$@"`;

/**
 * Nothing of our environment, which has secrets. Memory that a statement took goes back to the system when it is given
 * free: the C library would keep up to 64 MB for the next one, in each session.
 */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
});

export interface PostgresProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Settled when it has ended. */
  readonly exited: Promise<void>;
  /** The end of what it wrote to its log: why it did not start. */
  logged(): string;
}

const LOGGED_CHARS_MAX = 2_000;

export function spawnPostgres(options: {
  readonly programFolder: string;
  readonly dataFolder: string;
  readonly place: ServerPlace;
  readonly identity: ServerIdentity | null;
}): PostgresProcess {
  const { programFolder, dataFolder, place, identity } = options;
  const child = spawn(
    'bash',
    [
      ...['-c', SCRIPT, 'penstock', String(FILE_KIB_MAX), String(ADDRESS_SPACE_KIB_MAX)],
      ...[join(programFolder, 'bin/postgres'), ...postgresArguments(dataFolder, place)],
    ],
    {
      ...identity,
      cwd: '/',
      env: environment(),
      // A session of its own: what a terminal sends to our group (Ctrl-C) would end it before its sessions are drained.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let log = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => (log = (log + text).slice(-LOGGED_CHARS_MAX)));
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log += String(error);
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const pid = child.pid ?? 0;
  if (pid !== 0) lowerPriority(pid, SERVER_NICENESS);
  return { child, pid, exited, logged: () => log };
}
