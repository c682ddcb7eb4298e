import { join } from 'node:path';
import type { StackSecrets } from './secrets.ts';
import type { StackSettings } from './settings.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** The account that the service itself lives in; a 12-digit access key ID is that account's root (secret `test`). */
export const SERVICE_ACCOUNT_ID = '000000000000';

const CONTROL_REGION = 'us-east-1';

/** Where Node.js keeps what it has compiled, types stripped: a stack starts in two thirds of the CPU that the first one takes. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/penstock/compile');

export interface ServiceSpec {
  readonly name: string;
  /** TypeScript file that Node runs as it is. */
  readonly entry: string;
  /** Options of Node itself. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where `/readyz` answers. */
  readonly healthPort: number;
}

/** Ports that are taken once for the life of a stack, so that a process that dies comes back where it was. */
export interface ServicePorts {
  readonly gateway: number;
  readonly postgres: number;
  readonly aws: number;
  readonly redis: number;
  /** One for each RPC server and one for each health server, in the order of `serviceNames`. */
  readonly rpc: Readonly<Record<string, number>>;
  readonly health: Readonly<Record<string, number>>;
}

/** Every service and worker, each a process of its own. */
export function serviceNames(settings: StackSettings): readonly string[] {
  const engines = Array.from({ length: settings.queryEngines }, (_, i) => engineName(i));
  return [
    'auth',
    'schema-registry',
    'schema-worker',
    'usage-metering',
    'usage-worker',
    ...engines,
    'postgres',
    'gateway',
  ];
}

const engineName = (index: number): string => `query-engine-${index + 1}`;

const ENTRIES: Readonly<Record<string, string>> = {
  auth: 'services/auth/src/main.ts',
  'schema-registry': 'services/schema-registry/src/main.ts',
  'schema-worker': 'services/schema-registry/src/worker.ts',
  'usage-metering': 'services/usage-metering/src/main.ts',
  'usage-worker': 'services/usage-metering/src/worker.ts',
  postgres: 'gateway/src/postgres/main.ts',
  gateway: 'gateway/src/main.ts',
};

/**
 * The host passes on what it is sent: a young generation of twice this (MiB) would only hold more of what nobody needs, and
 * each engine's memory is bounded; in half of it, so many requests outlive a collection that marking the old generation
 * takes a tenth of the host's CPU. Workers have their own. Each statement that DuckDB runs takes a thread of the pool until
 * it ends, and so does what is to check a token: four, which Node.js has by itself, are few.
 */
const ENGINE_ENV = { NODE_OPTIONS: '--max-semi-space-size=8', UV_THREADPOOL_SIZE: '16' };

/**
 * Where a process has one core, V8's marking threads stand in the way of the thread that answers: it stops for 100 ms at
 * a time instead of 20 (measured by `make bench-auth`).
 */
const NO_MARKING_THREADS = '--no-concurrent-marking';

/**
 * Little outlives a request, so a collection of the young generation is short: waking other threads for it took up to a
 * quarter of the gateway's CPU, and the slowest point reads waited for them (p99 15.6 ms beside 14.0 in one run).
 */
const NO_SCAVENGING_THREADS = '--no-parallel-scavenge';

/** Messages are read, answered and forgotten: a larger one would only hold more of what nobody needs. MiB. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * What a request runs through is much code, each part of it seldom: machine code at the first call instead of after
 * hundreds saves 5 to 10 % of a point read's CPU, for some 10 MB a process.
 */
const COMPILED_AT_ONCE = '--always-sparkplug';

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  auth: [NO_MARKING_THREADS],
  postgres: [NO_MARKING_THREADS, NO_SCAVENGING_THREADS, SMALL_YOUNG_GENERATION],
  gateway: [NO_MARKING_THREADS, NO_SCAVENGING_THREADS, COMPILED_AT_ONCE],
};
const ENGINE_FLAGS = [NO_MARKING_THREADS, NO_SCAVENGING_THREADS, COMPILED_AT_ONCE];

/** What to start and with which environment. */
export function serviceSpecs(
  settings: StackSettings,
  ports: ServicePorts,
  secrets: StackSecrets,
): readonly ServiceSpec[] {
  const names = serviceNames(settings);
  const target = (...to: string[]): string => `ipv4:${to.map((n) => `127.0.0.1:${ports.rpc[n]}`).join(',')}`;
  const shared = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    PENSTOCK_LOG_LEVEL: settings.logLevel,
    PENSTOCK_HOST: '127.0.0.1',
    PENSTOCK_REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    PENSTOCK_AUTH_TARGET: target('auth'),
    PENSTOCK_REGISTRY_TARGET: target('schema-registry'),
    PENSTOCK_USAGE_TARGET: target('usage-metering'),
    PENSTOCK_ENGINE_TARGET: target(...names.filter((name) => name.startsWith('query-engine-'))),
    PENSTOCK_AWS_ENDPOINT: settings.awsEndpoint ?? `http://127.0.0.1:${ports.aws}`,
    PENSTOCK_CONTROL_REGION: CONTROL_REGION,
    PENSTOCK_CREATE_TABLES: String(settings.createTables ?? true),
    PENSTOCK_BASE_URL: `http://localhost:${ports.gateway}`,
    PENSTOCK_MCP_URL: `http://localhost:${ports.gateway}`,
    PENSTOCK_RATE_LIMIT_RPS: String(settings.rateLimitRps),
    PENSTOCK_RATE_LIMIT_BURST: String(settings.rateLimitBurst),
    AWS_ACCESS_KEY_ID: SERVICE_ACCOUNT_ID,
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: CONTROL_REGION,
    ...settings.tracing,
  };
  const engine = {
    ...ENGINE_ENV,
    PENSTOCK_PAGE_POSITION_KEY: secrets.pagePositionKey,
    ...variable('PENSTOCK_CATALOG_FRESH_MS', settings.catalogFreshMs),
    ...variable('PENSTOCK_BUDGETS_LOOK_MS', settings.budgetsLookMs),
  };
  const extra: Readonly<Record<string, Record<string, string>>> = {
    auth: {
      PENSTOCK_KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
      PENSTOCK_OPERATOR_TOKEN: secrets.operatorToken,
    },
    'schema-registry': { PENSTOCK_OPERATOR_TOKEN: secrets.operatorToken },
    postgres: { PENSTOCK_PG_PORT: String(ports.postgres) },
    gateway: {
      PENSTOCK_PORT: String(ports.gateway),
      PENSTOCK_TRUSTED_PROXIES: settings.trustedProxies ?? '',
      PENSTOCK_SERVICE_ACCOUNT_ID: SERVICE_ACCOUNT_ID,
    },
  };
  return names.map((name) => ({
    name,
    entry: join(ROOT, ENTRIES[name] ?? 'services/query-engine/src/main.ts'),
    flags: ENTRIES[name] === undefined ? ENGINE_FLAGS : (FLAGS[name] ?? []),
    env: {
      ...shared,
      ...(ENTRIES[name] === undefined ? engine : extra[name]),
      PENSTOCK_DATA_DIR: join(settings.dataDir, 'services', name),
      PENSTOCK_RPC_PORT: String(ports.rpc[name]),
      PENSTOCK_HEALTH_PORT: String(ports.health[name]),
    },
    healthPort: ports.health[name]!,
  }));
}

function variable(name: string, value: number | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: String(value) };
}

/** The local AWS endpoint as a process. */
export function awsSpec(settings: StackSettings, port: number): Omit<ServiceSpec, 'healthPort'> {
  return {
    name: 'aws',
    entry: join(ROOT, 'deploy/local/src/aws/main.ts'),
    flags: [],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PENSTOCK_AWS_PORT: String(port),
      PENSTOCK_DATA_DIR: settings.dataDir,
      PENSTOCK_LOG_LEVEL: settings.logLevel,
    },
  };
}
