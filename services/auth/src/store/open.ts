import type { Logger } from '@penstock/common/logging/logger.ts';
import { openControlTable } from '@penstock/common/store/control-table.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { AuthConfig } from '../config.ts';
import { openAuthTable } from './table.ts';
import type { AuthTable } from './table.ts';

/** The table that the configuration names, what is wrong with it, and how to let go of it. */
export async function openConfiguredTable(
  config: AuthConfig,
  clock: Clock,
  metrics?: Metrics,
  logger?: Logger,
): Promise<{ table: AuthTable; problem: () => string | null; close: () => void }> {
  const { client, tableName, problem, close } = await openControlTable({
    endpoint: config.PENSTOCK_AWS_ENDPOINT,
    region: config.PENSTOCK_CONTROL_REGION,
    tableName: `${config.PENSTOCK_TABLE_PREFIX}-auth`,
    keys: { partitionKey: 'pk', sortKey: 'sk' },
    ttlAttribute: 'expiresAt',
    createIfMissing: config.PENSTOCK_CREATE_TABLES,
    metrics,
    logger,
  });
  return { table: openAuthTable({ client, tableName, clock }), problem, close };
}
