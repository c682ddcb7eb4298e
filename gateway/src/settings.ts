import { z } from 'zod';
import { processSettings, settings } from '@penstock/common/config/settings.ts';

/** What the gateway reads from its environment. */
export const gatewaySettings = z.object({
  ...processSettings,
  PENSTOCK_PORT: settings.PENSTOCK_PORT,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  PENSTOCK_MCP_URL: settings.PENSTOCK_MCP_URL,
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_DATA_DIR: settings.PENSTOCK_DATA_DIR,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_REGISTRY_TARGET: settings.PENSTOCK_REGISTRY_TARGET,
  PENSTOCK_USAGE_TARGET: settings.PENSTOCK_USAGE_TARGET,
  PENSTOCK_ENGINE_TARGET: settings.PENSTOCK_ENGINE_TARGET,
  PENSTOCK_RATE_LIMIT_RPS: settings.PENSTOCK_RATE_LIMIT_RPS,
  PENSTOCK_RATE_LIMIT_BURST: settings.PENSTOCK_RATE_LIMIT_BURST,
  /** Comma-separated addresses or networks of load balancers in front; `loopback`, `linklocal`, `uniquelocal` too. */
  PENSTOCK_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))),
});
