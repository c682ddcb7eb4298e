/** One PostgreSQL server: a copy of the template, a process of its own, gone with all it had when it ends. */
import { chown, copyFile, constants, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverLost } from '../errors/server-lost.ts';
import { SERVER_END_MS_MAX, SERVER_START_MS_MAX } from './limits.ts';
import { connectOwner, FIRST_DATABASE, SOCKET_PORT, type OwnerConnection } from './owner-connection.ts';
import type { ProcessFolder } from './process-folder.ts';
import { processesNamed, signalProcess } from './processes.ts';
import { spawnPostgres, type PostgresProcess } from './spawn-postgres.ts';
import { quoteLiteral } from './tables/quote.ts';

export interface RunningServer {
  readonly socketFolder: string;
  readonly socketPath: string;
  readonly database: string;
  /** Of the process that all its others are children of. */
  readonly pid: number;
  /** Aborted with PgError FATAL when it has ended. */
  readonly ended: AbortSignal;
  owner(): Promise<OwnerConnection>;
  /** At once, whatever its sessions do; its folder is gone then. */
  end(): Promise<void>;
}

/** Files that are copied at a time: as many as threads of Node.js copy. */
const COPIES = 4;
const RETRY_MS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Folders first, one after the other; then files side by side. */
async function copyTemplate(folder: ProcessFolder, to: string): Promise<void> {
  const { template, templateFolder, identity } = folder;
  const own = async (path: string): Promise<void> => {
    if (identity !== null) await chown(path, identity.uid, identity.gid);
  };
  await mkdir(to, { mode: 0o700 });
  await own(to);
  for (const { path, kind } of template) {
    if (kind !== 'folder') continue;
    await mkdir(join(to, path), { mode: 0o700 });
    await own(join(to, path));
  }
  const files = template.filter(({ kind }) => kind === 'file').values();
  const copy = async (): Promise<void> => {
    for (const { path } of files) {
      await copyFile(join(templateFolder, path), join(to, path), constants.COPYFILE_FICLONE);
      await own(join(to, path));
    }
  };
  await Promise.all(Array.from({ length: COPIES }, copy));
}

/** Ends all processes; the first child of the system's first process is none of ours, so what has no parent is found by name. */
async function stop(server: PostgresProcess, clusterName: string): Promise<void> {
  server.child.kill('SIGQUIT');
  const isLate = await Promise.race([
    server.exited.then(() => false),
    pause(SERVER_END_MS_MAX).then(() => true),
  ]);
  if (isLate) server.child.kill('SIGKILL');
  await server.exited;
  for (const pid of processesNamed(clusterName)) signalProcess(pid, 'SIGKILL');
}

/** The owner's first connection, as soon as the server takes one. Rejects where it does not start. */
export async function firstConnection(
  server: PostgresProcess,
  socketFolder: string,
): Promise<OwnerConnection> {
  let hasEnded = false;
  void server.exited.then(() => (hasEnded = true));
  for (const until = performance.now() + SERVER_START_MS_MAX; ;) {
    try {
      return await connectOwner(socketFolder, FIRST_DATABASE);
    } catch (error) {
      if (hasEnded || performance.now() > until)
        throw new Error(`PostgreSQL does not start: ${server.logged()}`, { cause: error });
      await pause(RETRY_MS);
    }
  }
}

/** `name` tells it from others of this process. Rejects with what the log is to say. */
export async function startServer(
  folder: ProcessFolder,
  options: { readonly name: string; readonly database: string },
): Promise<RunningServer> {
  const own = join(folder.path, options.name);
  const dataFolder = join(own, 'data');
  const { identity, programFolder } = folder;
  const clusterName = `${folder.path.split('/').at(-1)}/${options.name}`;
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(own, { mode: 0o700 });
  try {
    if (identity !== null) await chown(own, identity.uid, identity.gid);
    await copyTemplate(folder, dataFolder);
  } catch (error) {
    await remove();
    throw error;
  }
  const place = { socketFolder: own, clusterName };
  const server = spawnPostgres({ programFolder, dataFolder, place, identity });
  const ended = new AbortController();
  try {
    const first = await firstConnection(server, own);
    const { database } = options;
    if (database !== FIRST_DATABASE)
      await first.run(
        `UPDATE pg_database SET datname = ${quoteLiteral(database)} WHERE datname = ${quoteLiteral(FIRST_DATABASE)}`,
      );
    await first.close();
    if (database !== FIRST_DATABASE) await (await connectOwner(own, database)).close();
  } catch (error) {
    await stop(server, clusterName);
    await remove();
    throw error;
  }
  // However it ends: no process of it stays, nor its files.
  const cleaned = server.exited.then(async () => {
    ended.abort(serverLost());
    for (const pid of processesNamed(clusterName)) signalProcess(pid, 'SIGKILL');
    await remove();
  });
  return {
    socketFolder: own,
    socketPath: join(own, `.s.PGSQL.${SOCKET_PORT}`),
    database: options.database,
    pid: server.pid,
    ended: ended.signal,
    owner: () => connectOwner(own, options.database),
    async end() {
      ended.abort(serverLost());
      await stop(server, clusterName);
      await cleaned;
    },
  };
}
