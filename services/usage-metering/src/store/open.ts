import type { Logger } from '@penstock/common/logging/logger.ts';
import { openControlTable } from '@penstock/common/store/control-table.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { StoreConfig } from '../config.ts';
import { createCounterStore } from './counters.ts';
import type { CounterStore } from './counters.ts';

/** The counters that the configuration names, what is wrong with their table, and how to let go of them. */
export async function openCounters(
  config: StoreConfig,
  metrics?: Metrics,
  logger?: Logger,
): Promise<{ counters: CounterStore; problem: () => string | null; close: () => void }> {
  const { client, tableName, problem, close } = await openControlTable({
    endpoint: config.PENSTOCK_AWS_ENDPOINT,
    region: config.PENSTOCK_CONTROL_REGION,
    tableName: `${config.PENSTOCK_TABLE_PREFIX}-usage`,
    keys: { partitionKey: 'tenantId', sortKey: 'day' },
    createIfMissing: config.PENSTOCK_CREATE_TABLES,
    metrics,
    logger,
  });
  return { counters: createCounterStore(client, tableName), problem, close };
}
