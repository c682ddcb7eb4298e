import { z } from 'zod';
import { processSettings, settings } from '@penstock/common/config/settings.ts';

/** What the PostgreSQL endpoint reads from its environment. */
export const postgresSettings = z
  .object({
    ...processSettings,
    PENSTOCK_PG_PORT: settings.PENSTOCK_PG_PORT,
    PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
    PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
    PENSTOCK_DATA_DIR: settings.PENSTOCK_DATA_DIR,
    PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
    PENSTOCK_REGISTRY_TARGET: settings.PENSTOCK_REGISTRY_TARGET,
    PENSTOCK_USAGE_TARGET: settings.PENSTOCK_USAGE_TARGET,
    PENSTOCK_ENGINE_TARGET: settings.PENSTOCK_ENGINE_TARGET,
    PENSTOCK_RATE_LIMIT_RPS: settings.PENSTOCK_RATE_LIMIT_RPS,
    PENSTOCK_RATE_LIMIT_BURST: settings.PENSTOCK_RATE_LIMIT_BURST,
    /** Files: the certificate with its chain, and its key, as PEM. Both or none. */
    PENSTOCK_PG_TLS_CERT: z.string().min(1).optional(),
    PENSTOCK_PG_TLS_KEY: z.string().min(1).optional(),
    /** True where something in front does TLS: then connections without are taken from anywhere. */
    PENSTOCK_PG_TLS_IN_FRONT: settings.PENSTOCK_PG_TLS_IN_FRONT,
    PENSTOCK_PG_TRUSTED_PROXIES: settings.PENSTOCK_PG_TRUSTED_PROXIES,
  })
  .refine(
    ({ PENSTOCK_PG_TLS_CERT: cert, PENSTOCK_PG_TLS_KEY: key }) =>
      (cert === undefined) === (key === undefined),
    { error: 'PENSTOCK_PG_TLS_CERT and PENSTOCK_PG_TLS_KEY go together', path: ['PENSTOCK_PG_TLS_CERT'] },
  );
