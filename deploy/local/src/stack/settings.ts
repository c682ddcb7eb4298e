import { resolve } from 'node:path';

/** Settings of the embedded stack; all come from the environment (see deploy/settings.md). */
export interface StackSettings {
  /** Everything that survives a restart: DynamoDB files, roles, Redis' append-only file, secrets, logs. */
  readonly dataDir: string;
  /** The gateway's port: REST, OAuth, MCP and the console. */
  readonly port: number;
  /** The PostgreSQL endpoint's port; any free one where absent or 0. */
  readonly postgresPort?: number;
  /** Nobody asked for this port: where it is taken, any free one will do. */
  readonly isPostgresPortByDefault?: boolean;
  /** The local AWS endpoint's port. */
  readonly awsPort: number;
  readonly redisPort: number;
  /** Query engine replicas, each a process of its own. */
  readonly queryEngines: number;
  readonly rateLimitRps: number;
  readonly rateLimitBurst: number;
  readonly logLevel: string;
  /** As PENSTOCK_TRUSTED_PROXIES of the gateway; none where absent. */
  readonly trustedProxies?: string;
  /** OpenTelemetry's variables for every service; none, no traces. */
  readonly tracing?: Readonly<Record<string, string>>;
  /** Where the services find AWS, if something stands before the local endpoint: benchmarks put their own there. */
  readonly awsEndpoint?: string;
  /** As PENSTOCK_CATALOG_FRESH_MS of the engines; their default where absent. */
  readonly catalogFreshMs?: number;
  /** As PENSTOCK_BUDGETS_LOOK_MS of the engines; their default where absent. */
  readonly budgetsLookMs?: number;
  /** As PENSTOCK_CREATE_TABLES of the services; true where absent. */
  readonly createTables?: boolean;
}

/** @throws Error naming the variable whose value is no whole number in its range */
export function readStackSettings(env: NodeJS.ProcessEnv): StackSettings {
  return Object.freeze({
    dataDir: resolve(env['PENSTOCK_DATA_DIR'] ?? '.penstock'),
    port: wholeNumber(env, 'PENSTOCK_PORT', 8080, 0, 65_535),
    postgresPort: wholeNumber(env, 'PENSTOCK_PG_PORT', 5432, 0, 65_535),
    isPostgresPortByDefault: (env['PENSTOCK_PG_PORT'] ?? '') === '',
    awsPort: wholeNumber(env, 'PENSTOCK_AWS_PORT', 4566, 0, 65_535),
    redisPort: wholeNumber(env, 'PENSTOCK_REDIS_PORT', 6390, 0, 65_535),
    queryEngines: wholeNumber(env, 'PENSTOCK_QUERY_ENGINES', 1, 1, 32),
    rateLimitRps: wholeNumber(env, 'PENSTOCK_RATE_LIMIT_RPS', 50, 1, 1_000_000),
    rateLimitBurst: wholeNumber(env, 'PENSTOCK_RATE_LIMIT_BURST', 100, 1, 1_000_000),
    logLevel: env['PENSTOCK_LOG_LEVEL'] ?? 'info',
    tracing: tracingVariables(env),
  });
}

function tracingVariables(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
    ),
  );
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  low: number,
  high: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) {
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not '${text}'`);
  }
  return value;
}
