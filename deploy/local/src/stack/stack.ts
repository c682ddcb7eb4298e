import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { superviseChild, type Child, type ChildEvents, type ChildSpec } from './child.ts';
import { answers, answersReady } from './health.ts';
import { lockDataDir, makeDataDir } from './lock.ts';
import { claimPorts } from './ports.ts';
import { redisChild } from './redis.ts';
import { loadSecrets, writePrivateFile } from './secrets.ts';
import {
  awsSpec,
  COMPILE_CACHE,
  SERVICE_ACCOUNT_ID,
  serviceNames,
  serviceSpecs,
  type ServicePorts,
  type ServiceSpec,
} from './services.ts';
import type { StackSettings } from './settings.ts';

/** From the first process to the last `/readyz`, on a slow machine. */
const START_TIMEOUT_MS = 90_000;

/** The last ones of `serviceNames` are those that clients talk to. */
const EDGE_SERVICES = 2;

/** Settings and modules that a part is started with, beside the stack's settings. */
export interface PartChange {
  readonly env?: Readonly<Record<string, string>>;
  /** URL of a module that it loads before all else. */
  readonly preload?: string;
}

export interface RunningStack {
  /** REST: `{baseUrl}/v1/…`. */
  readonly baseUrl: string;
  /** MCP and OAuth: `{mcpUrl}/mcp`, `{mcpUrl}/token`, … */
  readonly mcpUrl: string;
  /** For people: `{consoleUrl}/query`, … */
  readonly consoleUrl: string;
  /** The PostgreSQL endpoint, without user and password. */
  readonly postgresUrl: string;
  readonly awsEndpoint: string;
  readonly redisUrl: string;
  readonly serviceAccountId: string;
  readonly dataDir: string;
  /** Where each service's and worker's `/metrics` is, by name. */
  readonly metricsUrls: Readonly<Record<string, string>>;
  /** Process ID of a part now, by name: for tests that kill it. */
  pid(name: string): number | undefined;
  /**
   * Kills a part and starts it again at once. Resolves when it is healthy, before others have found it again.
   * @param change in place of that of an earlier restart; stays when the part dies and comes back by itself
   */
  restart(name: string, change?: PartChange): Promise<void>;
  /** Resolves when every part is healthy. @throws Error naming the first that does not become so */
  whenHealthy(timeoutMs?: number): Promise<void>;
  /** Ends every process, services first, stores last. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded stack: the local AWS endpoint, Redis, every service and worker as a process of its own. Resolves
 * when all are healthy; when one cannot be, everything is stopped again and the error says which and where its log is.
 */
export async function startStack(settings: StackSettings): Promise<RunningStack> {
  await makeDataDir(settings.dataDir);
  const lock = await lockDataDir(settings.dataDir);
  const watchdog = startWatchdog();
  const children: Child[] = [];
  const startedAt = Date.now();
  const stop = async (): Promise<void> => {
    // Those that clients talk to first, so that requests in flight still find what they need; the stores last.
    const [stores, services] = [children.slice(0, 2), children.slice(2)];
    const edge = services.slice(-EDGE_SERVICES);
    await Promise.all(edge.map((child) => child.stop()));
    await Promise.all(services.slice(0, -EDGE_SERVICES).map((child) => child.stop()));
    await Promise.all(stores.map((child) => child.stop()));
    await watchdog.close();
    await lock.release();
  };
  try {
    const ports = await servicePorts(settings);
    const secrets = await loadSecrets(settings.dataDir);
    const logFile = (name: string): string => join(settings.dataDir, 'logs', `${name}.log`);
    const redis = { dataDir: join(settings.dataDir, 'redis'), port: ports.redis, logFile: logFile('redis') };
    const aws = awsSpec(settings, ports.aws);
    children.push(
      superviseChild(
        {
          ...nodeProcess(aws),
          logFile: logFile('aws'),
          healthy: () => answers(`http://127.0.0.1:${ports.aws}/_health`),
        },
        watchdog,
      ),
      await redisChild(redis, watchdog),
    );
    await allHealthy(children, startedAt + START_TIMEOUT_MS);
    const specs = serviceSpecs(settings, ports, secrets);
    const edge = new Set(specs.slice(-EDGE_SERVICES));
    for (const spec of specs) {
      children.push(
        superviseChild(
          {
            ...nodeProcess(spec),
            logFile: logFile(spec.name),
            // A problem at the edge is a service that it has yet to find: the first request would fail.
            healthy: () =>
              (edge.has(spec) ? answersReady : answers)(`http://127.0.0.1:${spec.healthPort}/readyz`),
          },
          watchdog,
        ),
      );
    }
    await allHealthy(children, startedAt + START_TIMEOUT_MS);
    const whenHealthy = async (timeoutMs = START_TIMEOUT_MS): Promise<void> => {
      const deadline = Date.now() + timeoutMs;
      for (const child of children) await child.whenHealthy(deadline - Date.now());
    };
    const urls = {
      baseUrl: `http://localhost:${ports.gateway}`,
      mcpUrl: `http://localhost:${ports.gateway}`,
      consoleUrl: `http://localhost:${ports.gateway}/console`,
      postgresUrl: `postgresql://127.0.0.1:${ports.postgres}/penstock`,
      awsEndpoint: `http://localhost:${ports.aws}`,
      redisUrl: `redis://127.0.0.1:${ports.redis}`,
      serviceAccountId: SERVICE_ACCOUNT_ID,
      dataDir: settings.dataDir,
      metricsUrls: Object.fromEntries(
        Object.entries(ports.health).map(([name, port]) => [name, `http://127.0.0.1:${port}/metrics`]),
      ),
    };
    // What the admin CLI needs to find this stack.
    await writePrivateFile(
      join(settings.dataDir, 'stack.json'),
      JSON.stringify({
        ...urls,
        authTarget: `ipv4:127.0.0.1:${ports.rpc['auth']}`,
        registryTarget: `ipv4:127.0.0.1:${ports.rpc['schema-registry']}`,
        operatorToken: secrets.operatorToken,
      }),
    );
    const part = (name: string): Child | undefined => children.find((child) => child.name === name);
    return {
      ...urls,
      pid: (name) => part(name)?.pid(),
      async restart(name, { env, preload } = {}) {
        const restarted = part(name);
        if (restarted === undefined) throw new Error(`a stack has no part ${name}`);
        await restarted.restart({
          ...(env === undefined ? {} : { env }),
          ...(preload === undefined ? {} : { args: ['--import', preload] }),
        });
        await restarted.whenHealthy(START_TIMEOUT_MS);
      },
      whenHealthy,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks one after the other, since whoever is asked while it starts is slowed by it; one that keeps dying is told at once. */
async function allHealthy(children: readonly Child[], deadline: number): Promise<void> {
  const inTurn = async (): Promise<void> => {
    for (const child of children) await child.whenHealthy(deadline - Date.now());
  };
  await Promise.race([inTurn(), ...children.map((child) => child.keepsDying)]);
}

async function servicePorts(settings: StackSettings): Promise<ServicePorts> {
  const names = serviceNames(settings);
  const wanted = [
    { port: settings.port, setting: 'PENSTOCK_PORT' },
    {
      port: settings.postgresPort ?? 0,
      setting: 'PENSTOCK_PG_PORT',
      orAny: settings.isPostgresPortByDefault === true,
    },
    { port: settings.awsPort, setting: 'PENSTOCK_AWS_PORT' },
    { port: settings.redisPort, setting: 'PENSTOCK_REDIS_PORT' },
  ];
  const [gateway = 0, postgres = 0, aws = 0, redis = 0, ...free] = await claimPorts(wanted, 2 * names.length);
  return {
    gateway,
    postgres,
    aws,
    redis,
    rpc: Object.fromEntries(names.map((name, i) => [name, free[2 * i]!])),
    health: Object.fromEntries(names.map((name, i) => [name, free[2 * i + 1]!])),
  };
}

function nodeProcess({
  name,
  flags,
  entry,
  env,
}: Omit<ServiceSpec, 'healthPort'>): Pick<ChildSpec, 'name' | 'command' | 'args' | 'env'> {
  return { name, command: process.execPath, args: [...flags, entry], env };
}

/** See watchdog.ts: its standard input is the list of what runs, and its end means that we are gone. */
function startWatchdog(): ChildEvents & { close(): Promise<void> } {
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    detached: true,
  });
  // Writing to a watchdog that somebody killed must not end the stack.
  watchdog.stdin.on('error', () => undefined);
  return {
    started: (pid) => void watchdog.stdin.write(`+${pid}\n`),
    ended: (pid) => void watchdog.stdin.write(`-${pid}\n`),
    close: async () => {
      watchdog.stdin.end();
      if (watchdog.exitCode === null && watchdog.signalCode === null) await once(watchdog, 'exit');
    },
  };
}
