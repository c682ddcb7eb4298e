import { settings } from '@penstock/common/config/settings.ts';
import { z } from 'zod';

const stores = {
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT,
  PENSTOCK_CONTROL_REGION: settings.PENSTOCK_CONTROL_REGION,
  PENSTOCK_TABLE_PREFIX: settings.PENSTOCK_TABLE_PREFIX,
  PENSTOCK_CREATE_TABLES: settings.PENSTOCK_CREATE_TABLES,
};

/** Settings of the worker. */
export const workerSettings = z.object(stores);

/** Settings of the service. */
export const serviceSettings = z.object({
  ...stores,
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_RPC_PORT: settings.PENSTOCK_RPC_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
});

export type StoreConfig = z.output<typeof workerSettings>;
