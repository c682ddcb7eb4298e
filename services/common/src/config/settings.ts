/**
 * Every setting that more than one process reads, as a zod field. A process picks what it needs:
 *
 *     const config = readConfig(z.object({ ...processSettings, PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL }), process.env)
 */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { LOG_LEVELS } from '../logging/logger.ts';
import { withoutTrailing } from '../text/without-trailing.ts';

/** A whole number between bounds. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const port = integer(0, 65_535);
const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true');
const url = (...protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
/** Parts between commas; none where empty or absent. */
export const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])));
const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'must be addresses, or networks such as 10.0.0.0/8',
});

/** Without a slash at its end, so that paths can be appended and issuers compared. */
const baseUrl = url('http:', 'https:').transform((text) => withoutTrailing(text, '/'));
const target = z
  .string()
  .regex(
    /^(dns:\/\/\/|ipv4:|ipv6:|unix:).+/,
    'must be a gRPC target such as dns:///host:port or ipv4:127.0.0.1:9000',
  );

export const settings = Object.freeze({
  PENSTOCK_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  PENSTOCK_HOST: z.string().default('127.0.0.1'),
  PENSTOCK_RPC_PORT: port,
  PENSTOCK_HEALTH_PORT: port,
  PENSTOCK_DRAIN_TIMEOUT_MS: integer(0, 600_000).default(10_000),
  PENSTOCK_REDIS_URL: url('redis:', 'rediss:'),
  PENSTOCK_AUTH_TARGET: target,
  PENSTOCK_REGISTRY_TARGET: target,
  PENSTOCK_USAGE_TARGET: target,
  PENSTOCK_ENGINE_TARGET: target,
  /** A local AWS endpoint for STS and DynamoDB, of the control plane and of tenants. Absent: AWS itself. */
  PENSTOCK_AWS_ENDPOINT: url('http:', 'https:').optional(),
  PENSTOCK_CONTROL_REGION: z.string().min(1).default('us-east-1'),
  PENSTOCK_TABLE_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{1,100}$/, 'must be 1 to 100 of the characters that table names may have')
    .default('penstock'),
  PENSTOCK_CREATE_TABLES: flag.default(false),
  /** False with an emulator whose STS ignores external IDs: validate-role then cannot tell an open role. */
  PENSTOCK_STS_CHECKS_EXTERNAL_ID: flag.default(true),
  /** True where tenants' tables are in the service's own account: its roles may then be named by whoever makes schemas. */
  PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: flag.default(false),
  /** Where the REST API is; the issuer of all tokens. */
  PENSTOCK_BASE_URL: baseUrl,
  PENSTOCK_MCP_URL: baseUrl,
  /** Where people open the console; absent: at the REST API. */
  PENSTOCK_CONSOLE_URL: baseUrl
    .refine((text) => new URL(text).pathname === '/console', { error: 'must end in /console, its path' })
    .optional(),
  /** For spools and temporary files. */
  PENSTOCK_DATA_DIR: z.string().refine(isAbsolute, { error: 'must be an absolute path' }),
  /** AES-256 keys for what auth stores encrypted: the first encrypts, all decrypt. More than one while it is rotated. */
  PENSTOCK_KEY_ENCRYPTION_KEY: z
    .string()
    .transform((text) => text.split(',').map((key) => Buffer.from(key, 'base64')))
    .refine((keys) => keys.every((key) => key.length === 32), {
      error: 'must be 32 bytes in base64, or several of them separated by commas',
    }),
  PENSTOCK_OPERATOR_TOKEN: z.string().min(16, 'must have at least 16 characters'),
  PENSTOCK_PORT: port.default(8080),
  PENSTOCK_PG_PORT: port.default(5432),
  PENSTOCK_PG_TLS_IN_FRONT: flag.default(false),
  /** Balancers of the PostgreSQL endpoint: what they say by the PROXY protocol of where clients come from counts. */
  PENSTOCK_PG_TRUSTED_PROXIES: list.pipe(z.array(network)),
  /** Requests a second of one tenant, unless its token says otherwise. */
  PENSTOCK_RATE_LIMIT_RPS: integer(1, 100_000).default(50),
  /** Requests of one tenant at once. */
  PENSTOCK_RATE_LIMIT_BURST: integer(1, 100_000).default(100),
});

/** What every process reads (process/run.ts). */
export const processSettings = Object.freeze({
  PENSTOCK_LOG_LEVEL: settings.PENSTOCK_LOG_LEVEL,
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_HEALTH_PORT: settings.PENSTOCK_HEALTH_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
});
