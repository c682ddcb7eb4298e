/** PostgreSQL 15 itself, to compare with: the system's, or Debian's package unpacked into a folder. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryFolder, unpackDebianPackages } from '../../../../../deploy/local/src/debian/unpack.ts';
import { freePorts } from '../../../../../deploy/local/src/stack/ports.ts';

const run = promisify(execFile);

const VERSION = '15';
const SYSTEM_BINARIES = `/usr/lib/postgresql/${VERSION}/bin`;
const CACHE = join(import.meta.dirname, '../../../../../node_modules/.cache/penstock/postgresql');
const PACKAGES = [`postgresql-${VERSION}`, `postgresql-client-${VERSION}`];
const STEP_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
/** PostgreSQL refuses to run as root: nobody does it then. */
const NOBODY = 65_534;

/** The owner of the system's relations, and of tenants' tables. */
export const OWNER = 'penstock';

export interface ReferenceServer {
  readonly port: number;
  /** The statements that clients have sent, as the server logged them. */
  readonly log: () => Promise<string>;
  /** What psql prints: one value a row, without names. */
  readonly query: (sql: string, role?: string, database?: string) => Promise<string>;
  /** Runs psql as a person would. */
  readonly psql: (args: readonly string[], input?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'shared_buffers=16MB',
  'log_statement=all',
  'logging_collector=on',
  'log_destination=jsonlog',
  'log_directory=.',
  'log_filename=statements.log',
];

interface Binaries {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

async function findBinaries(): Promise<Binaries> {
  if (existsSync(join(SYSTEM_BINARIES, 'postgres'))) return { folder: SYSTEM_BINARIES, env: process.env };
  const root = join(CACHE, 'root');
  const folder = join(root, 'usr/lib/postgresql', VERSION, 'bin');
  if (!existsSync(join(folder, 'postgres'))) {
    await unpackDebianPackages({
      names: PACKAGES,
      withDependencies: true,
      cacheDir: CACHE,
      updateMsMax: STEP_MS_MAX,
      stepMsMax: STEP_MS_MAX,
    });
  }
  return { folder, env: { ...process.env, LD_LIBRARY_PATH: libraryFolder(root) } };
}

/** With a fresh cluster of its own; `stop` removes it. */
export async function startReferenceServer(): Promise<ReferenceServer> {
  const { folder, env } = await findBinaries();
  const home = await mkdtemp(join(tmpdir(), 'penstock-postgres-'));
  const asRoot = process.getuid?.() === 0;
  const who = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (asRoot) await chown(home, NOBODY, NOBODY);
  else await chmod(home, 0o700);
  const data = join(home, 'data');
  const options = { env, cwd: home, ...who, timeout: STEP_MS_MAX };
  const initdb = ['-D', data, '-U', OWNER, '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '-A', 'trust'];
  await run(join(folder, 'initdb'), initdb, options);
  const [port = 0] = await freePorts(1);
  const server = spawn(
    join(folder, 'postgres'),
    ['-D', data, '-p', String(port), '-k', home, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    { env, cwd: home, ...who, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const psql: ReferenceServer['psql'] = (args, input) =>
    new Promise((resolve, reject) => {
      const common = ['-X', '-h', '127.0.0.1', '-p', String(port)];
      const child = execFile(
        join(folder, 'psql'),
        [...common, ...args],
        { env: { ...env, PGUSER: OWNER }, maxBuffer: OUTPUT_BYTES_MAX },
        (error, out, err) => (error ? reject(new Error(err || error.message)) : resolve(out)),
      );
      child.stdin?.end(input);
    });
  const query: ReferenceServer['query'] = (sql, role = OWNER, database = 'postgres') =>
    psql(['-U', role, '-d', database, '-At', '-v', 'ON_ERROR_STOP=1', '-q'], sql);
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    try {
      await query('SELECT 1');
      const log = (): Promise<string> => readFile(join(data, 'statements.json'), 'utf8');
      return Object.freeze({ port, log, query, psql, stop });
    } catch (error) {
      if (tries > 200 || server.exitCode !== null) {
        await stop();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
