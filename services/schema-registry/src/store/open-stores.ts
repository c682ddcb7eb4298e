import type { Logger } from '@penstock/common/logging/logger.ts';
import { openControlTable } from '@penstock/common/store/control-table.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { type ClaimStore, createClaimStore } from './claim-store.ts';
import { createLearnedStore, type LearnedStore } from './learned-store.ts';
import { type MetadataStore, createMetadataStore } from './metadata-store.ts';
import { type RefreshStateStore, createRefreshStateStore } from './refresh-state-store.ts';
import { type SchemaStore, createSchemaStore } from './schema-store.ts';
import { STORE_KEYS } from './stored-item.ts';

/** Everything that the registry keeps. */
interface RegistryStores {
  readonly schemas: SchemaStore;
  readonly metadata: MetadataStore;
  readonly learned: LearnedStore;
  readonly states: RefreshStateStore;
  readonly claims: ClaimStore;
  /** What is wrong with the table, in a sentence; null where nothing is known to be. */
  problem(): string | null;
  close(): void;
}

/**
 * Opens the registry's one control-plane table, `<prefix>-schemas`.
 * @throws Error where it is missing and may not be created
 */
export async function openStores(options: {
  endpoint: string | undefined;
  region: string;
  tablePrefix: string;
  createTables: boolean;
  clock: Clock;
  metrics?: Metrics | undefined;
  logger?: Logger | undefined;
}): Promise<RegistryStores> {
  const { ttlAttribute, ...keys } = STORE_KEYS;
  const { client, tableName, problem, close } = await openControlTable({
    endpoint: options.endpoint,
    region: options.region,
    tableName: `${options.tablePrefix}-schemas`,
    keys,
    ttlAttribute,
    createIfMissing: options.createTables,
    metrics: options.metrics,
    logger: options.logger,
  });
  const table = { client, tableName, clock: options.clock };
  return Object.freeze({
    schemas: createSchemaStore(table),
    metadata: createMetadataStore(table),
    learned: createLearnedStore(table),
    states: createRefreshStateStore(table),
    claims: createClaimStore(table),
    problem,
    close,
  });
}
