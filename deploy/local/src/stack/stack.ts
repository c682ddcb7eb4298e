import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { superviseChild, type Child, type ChildEvents, type ChildSpec } from './child.ts';
import { lockDataDir } from './lock.ts';
import { claimPorts } from './ports.ts';
import { redisChild } from './redis.ts';
import { loadSecrets, writePrivateFile } from './secrets.ts';
import {
  awsSpec,
  SERVICE_ACCOUNT_ID,
  serviceNames,
  serviceSpecs,
  type ServicePorts,
  type ServiceSpec,
} from './services.ts';
import type { StackSettings } from './settings.ts';

/** From the first process to the last `/readyz`, on a slow machine. */
const START_TIMEOUT_MS = 90_000;

const HEALTH_TIMEOUT_MS = 2_000;

/** The last ones of `serviceNames` are those that clients talk to. */
const EDGE_SERVICES = 2;

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
  /** Ends every process, services first, stores last. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded stack: the local AWS endpoint, Redis, every service and worker as a process of its own. Resolves
 * when all are healthy; when one cannot be, everything is stopped again and the error says which and where its log is.
 */
export async function startStack(settings: StackSettings): Promise<RunningStack> {
  await mkdir(join(settings.dataDir, 'logs'), { recursive: true });
  const lock = await lockDataDir(settings.dataDir);
  const watchdog = startWatchdog();
  const children: Child[] = [];
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
          ...nodeProcess(aws, settings),
          logFile: logFile('aws'),
          healthy: () => answers(`http://127.0.0.1:${ports.aws}/_health`),
        },
        watchdog,
      ),
      await redisChild(redis, watchdog),
    );
    await Promise.all(children.map((child) => child.whenHealthy(START_TIMEOUT_MS)));
    for (const spec of serviceSpecs(settings, ports, secrets)) {
      children.push(
        superviseChild(
          {
            ...nodeProcess(spec, settings),
            logFile: logFile(spec.name),
            healthy: () => answers(`http://127.0.0.1:${spec.healthPort}/readyz`),
          },
          watchdog,
        ),
      );
    }
    await Promise.all(children.map((child) => child.whenHealthy(START_TIMEOUT_MS)));
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
    return { ...urls, pid: (name) => children.find((child) => child.name === name)?.pid(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
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

function nodeProcess(
  { name, flags, entry, env }: Omit<ServiceSpec, 'healthPort'>,
  { preload }: StackSettings,
): Pick<ChildSpec, 'name' | 'command' | 'args' | 'env'> {
  const before = preload?.[name];
  const imports = before === undefined ? [] : ['--import', before];
  return { name, command: process.execPath, args: [...flags, ...imports, entry], env };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** See watchdog.ts: its standard input is the list of what runs, and its end means that we are gone. */
function startWatchdog(): ChildEvents & { close(): Promise<void> } {
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    stdio: ['pipe', 'ignore', 'ignore'],
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
