/** PostgreSQL servers of the tenants that have sessions: started when needed, shared, ended when idle. */
import { randomBytes } from 'node:crypto';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { PgError } from '../errors/pg-error.ts';
import type { NumericDigits } from '../types/numeric-modifier.ts';
import * as defaults from './limits.ts';
import { SERVER_END_MS_MAX } from './limits.ts';
import { openProcessFolder, type ProcessFolder } from './process-folder.ts';
import { processFacts, signalProcess } from './processes.ts';
import { createServerRoles } from './server-roles.ts';
import { createServerTables } from './server-tables.ts';
import { startServer, type RunningServer } from './server.ts';
import type { CatalogTables } from './tables/catalog-tables.ts';
import { cutName } from './tables/names.ts';
import { createWatch, type WatchFigures, type WatchLimits } from './watch/watch.ts';

export interface ServerFor {
  readonly tenantId: string;
  /** False: the client may not read schemas; no table is in its server. */
  readonly seesTables: boolean;
  /** The database's name, as the client gave it. */
  readonly database: string;
  /** Digits of the numbers in the server's tables; absent: numbers have as many as they like. */
  readonly digits?: NumericDigits | null;
}

/** A place in a tenant's server; to be left. */
export interface Place {
  /** Folder of its Unix socket, for libraries, and the socket's own path. */
  readonly socketFolder: string;
  readonly socketPath: string;
  /** As the server knows it: cut at 63 bytes. */
  readonly database: string;
  /** Digits of the numbers in its tables, as they were asked for. */
  readonly digits: NumericDigits | null;
  /**
   * Makes the tables what they are now, or leaves them as they were while a session's locks stand in the way. Calls beside
   * one another share the work; it returns at once where the version is known. Rejects with PgError where the server is gone.
   */
  bring(tables: CatalogTables): Promise<void>;
  /** Makes sure that the role is there. Rejects with PgError where it may not be, or the server is gone. */
  role(name: string): Promise<void>;
  /** Aborted with PgError 57P01 FATAL when the server has ended. */
  readonly ended: AbortSignal;
  /** Ends a backend that does not end what it runs; the whole server where it does not end either. */
  stop(pid: number): void;
  leave(): void;
}

/** For metrics. */
export interface ServerFigures extends WatchFigures {
  readonly running: number;
  /** Of them, those that sessions use. */
  readonly inUse: number;
}

export interface TenantServers {
  /**
   * Starts the server where it does not run; those who ask meanwhile share the start. Rejects with PgError: 53300 where
   * too many are in use, 57P03 where it cannot be started.
   */
  enter(of: ServerFor): Promise<Place>;
  figures(): ServerFigures;
  close(): Promise<void>;
}

export interface ServersLimits extends WatchLimits {
  readonly SERVERS_MAX: number;
  readonly SERVERS_PER_TENANT_MAX: number;
  readonly SERVER_IDLE_MS: number;
  readonly SERVER_START_PAUSE_MS: number;
}

interface Entry {
  readonly of: ServerFor;
  readonly started: Promise<Started>;
  /** Once it has started. */
  server: RunningServer | null;
  places: number;
  /** When the last place was left. */
  idleSince: number;
  idle: NodeJS.Timeout | null;
}

interface Started {
  readonly server: RunningServer;
  readonly bring: Place['bring'];
  readonly role: Place['role'];
}

const full = (message: string, hint: string): PgError =>
  new PgError({ code: '53300', message, hint, severity: 'FATAL' });

const notStarted = (cause: unknown): PgError =>
  new PgError(
    {
      code: '57P03',
      message: 'the database system cannot be started at the moment',
      hint: 'connect again in a few seconds',
      severity: 'FATAL',
    },
    { cause },
  );

/** A backend in the middle of what cannot be interrupted takes its server with it: no other tenant's. */
function stopBackend(server: RunningServer, pid: number): void {
  if (processFacts(pid)?.parent !== server.pid) return;
  signalProcess(pid, 'SIGTERM');
  setTimeout(() => {
    if (!server.ended.aborted && processFacts(pid)?.parent === server.pid) void server.end();
  }, SERVER_END_MS_MAX).unref();
}

export function createTenantServers(options: {
  readonly logger: Logger;
  /** What the build made; for tests. */
  readonly builtFolder?: string;
  readonly limits?: Partial<ServersLimits>;
  /** Where the servers' files are to be; the system's folder for temporary files where it is absent, or cannot be theirs. */
  readonly folder?: string;
  /** A session's backend, or a server, was ended since it took too much. */
  readonly onEnded?: (why: 'memory' | 'time') => void;
}): TenantServers {
  const { logger } = options;
  const limits: ServersLimits = { ...defaults, ...options.limits };
  const entries = new Map<string, Entry>();
  /** Starts that failed a moment ago. */
  const failures = new Map<string, PgError>();
  const watch = createWatch({
    servers: () =>
      [...entries.values()].flatMap(({ of: { tenantId }, server }) =>
        server === null ? [] : [{ tenantId, server }],
      ),
    ...{ limits, logger, onEnded: options.onEnded ?? (() => undefined) },
  });
  let opened: Promise<ProcessFolder> | null = null;
  let isClosed = false;

  const folder = (): Promise<ProcessFolder> => {
    opened ??= openProcessFolder(options).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const forget = (key: string, entry: Entry): void => {
    if (entry.idle !== null) clearTimeout(entry.idle);
    if (entries.get(key) === entry) entries.delete(key);
  };
  const end = (key: string, entry: Entry): Promise<void> => {
    forget(key, entry);
    return entry.started.then(({ server }) => server.end()).catch(() => undefined);
  };
  const begin = async (key: string, of: ServerFor): Promise<Started> => {
    try {
      const own = await folder();
      const server = await startServer(own, { name: randomBytes(6).toString('hex'), database: of.database });
      const tables = createServerTables(server, logger, of.digits ?? null);
      const roles = createServerRoles(server);
      return {
        server,
        bring: of.seesTables ? (wanted) => tables.bring(wanted) : () => Promise.resolve(),
        role: (name) => roles.role(name),
      };
    } catch (error) {
      logger.error({ err: error }, 'a PostgreSQL server cannot be started');
      const failure = notStarted(error);
      failures.set(key, failure);
      setTimeout(() => failures.delete(key), limits.SERVER_START_PAUSE_MS).unref();
      throw failure;
    }
  };
  /** Ends the one that is idle longest, of those that may go; false: none is. */
  const evict = (mayGo: (entry: Entry) => boolean): boolean => {
    const idle = [...entries].filter(([, entry]) => entry.places === 0 && mayGo(entry));
    const [first] = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    if (first === undefined) return false;
    void end(...first);
    return true;
  };
  /** Names of databases are free: a tenant that takes many makes room among its own. */
  const makeRoom = ({ tenantId }: ServerFor): void => {
    const isOwn = (entry: Entry): boolean => entry.of.tenantId === tenantId;
    const own = [...entries.values()].filter(isOwn).length;
    if (own >= limits.SERVERS_PER_TENANT_MAX && !evict(isOwn))
      throw full(
        `sessions of one tenant are connected to at most ${limits.SERVERS_PER_TENANT_MAX} databases at a time`,
        'connect to a database that other sessions use',
      );
    if (entries.size >= limits.SERVERS_MAX && !evict(() => true))
      throw full('sorry, too many tenants are connected already', 'try again later');
  };
  const entryOf = (key: string, of: ServerFor): Entry => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const failure = failures.get(key);
    if (failure !== undefined) throw failure;
    makeRoom(of);
    const entry: Entry = {
      of,
      started: begin(key, of),
      server: null,
      places: 0,
      idleSince: performance.now(),
      idle: null,
    };
    entries.set(key, entry);
    entry.started.then(
      ({ server }) => {
        entry.server = server;
        server.ended.addEventListener('abort', () => forget(key, entry), { once: true });
        watch.wake();
      },
      () => forget(key, entry),
    );
    return entry;
  };
  const leave = (key: string, entry: Entry): void => {
    entry.places--;
    if (entry.places > 0 || entries.get(key) !== entry) return;
    entry.idleSince = performance.now();
    entry.idle = setTimeout(() => void end(key, entry), limits.SERVER_IDLE_MS);
    entry.idle.unref();
  };
  return {
    async enter({ tenantId, seesTables, database, digits = null }) {
      if (isClosed) throw notStarted(null);
      const of = { tenantId, seesTables, database: cutName(database), digits };
      const key = JSON.stringify([tenantId, seesTables, of.database, digits]);
      const entry = entryOf(key, of);
      entry.places++;
      if (entry.idle !== null) clearTimeout(entry.idle);
      entry.idle = null;
      let isLeft = false;
      const leaveOnce = (): void => {
        if (!isLeft) leave(key, entry);
        isLeft = true;
      };
      try {
        const { server, bring, role } = await entry.started;
        const { socketFolder, socketPath, ended } = server;
        return {
          ...{ socketFolder, socketPath, database: of.database, digits, bring, role, ended },
          stop: (pid) => stopBackend(server, pid),
          leave: leaveOnce,
        };
      } catch (error) {
        leaveOnce();
        throw error;
      }
    },
    figures() {
      const all = [...entries.values()];
      const inUse = all.filter(({ places }) => places > 0).length;
      return { running: all.length, inUse, ...watch.figures() };
    },
    async close() {
      isClosed = true;
      watch.close();
      await Promise.all([...entries].map(([key, entry]) => end(key, entry)));
      await opened?.then((own) => own.close()).catch(() => undefined);
    },
  };
}
