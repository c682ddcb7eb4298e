/** Calls on the registry's CatalogService, made with the caller's token. */
import { isErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { Health } from '@penstock/common/gen/grpc/health/v1/health_pb.js';
import {
  CatalogService,
  type CatalogTable,
  type ResolvedTable,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { REGISTRY_CHECK_MS_MAX, REGISTRY_MS_MAX, REGISTRY_PROBE_EVERY_MS } from '../limits.ts';
import { learnedMessage, typeMessage } from './catalog-table.ts';
import { whileAnswering, type Probe } from './while-answering.ts';
import type { AttributeType, LearnedStatistics } from '../catalog/table.ts';

/** A table as a statement names it. */
export interface TableReference {
  readonly schema: string | null;
  readonly table: string;
}

/** What the caller holds of a table. */
export interface KnownTable {
  readonly knownVersion: string | null;
  /** True where DynamoDB refused a read that was planned by that version. */
  readonly outdated: boolean;
}

/** On whose behalf a call is made. */
export interface CatalogCall {
  readonly tenantId: string;
  /** The caller's; in a worker, the name by which its host knows the query and so the token. */
  readonly token: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Whether all that is asked of tables is that they are as they were: nothing has to be described or sampled for it. */
export const areChecked = (references: readonly KnownTable[]): boolean =>
  references.every(({ knownVersion, outdated }) => knownVersion !== null && !outdated);

export interface Versioned {
  /** Changes whenever the table does. */
  readonly version: string;
}

/**
 * `unchanged`: the version that the caller holds is current. An error is the table's own, to be thrown for it. `checkedAt`:
 * when that was so, in milliseconds since 1970; absent: now.
 */
export type Resolution<T> =
  | { readonly kind: 'table'; readonly table: T; readonly checkedAt?: number }
  | { readonly kind: 'unchanged'; readonly checkedAt?: number }
  | { readonly kind: 'error'; readonly error: PenstockError };

/** What a query found out of a table: attributes that the catalog lacks, and how often each type was seen; what reads saw. */
export interface TableFindings {
  readonly schemaName: string;
  readonly tableName: string;
  readonly attributes: readonly {
    readonly name: string;
    readonly types: readonly (readonly [AttributeType, number])[];
  }[];
  readonly seen: LearnedStatistics;
}

export interface CatalogClient<T> {
  /** One answer for each reference, in order. Throws PenstockError when the registry does not answer. */
  resolve(
    call: CatalogCall,
    references: readonly (TableReference & KnownTable)[],
    maySample: boolean,
  ): Promise<readonly Resolution<T>[]>;
  report(call: CatalogCall, found: TableFindings): Promise<void>;
  close(): void;
}

function resolution<T>({ result }: ResolvedTable, toTable: (message: CatalogTable) => T): Resolution<T> {
  switch (result.case) {
    case 'table':
      return { kind: 'table', table: toTable(result.value) };
    case 'unchanged':
      return { kind: 'unchanged' };
    case 'error': {
      const { code, message, detail } = result.value;
      return {
        kind: 'error',
        error: new PenstockError(isErrorCode(code) ? code : 'INTERNAL', message, { detail }),
      };
    }
    case undefined:
      return { kind: 'error', error: new PenstockError('INTERNAL', 'Internal error') };
  }
}

/** `toTable`: what the caller keeps of a table. */
export function createCatalogClient<T>(
  target: string,
  toTable: (message: CatalogTable) => T,
): CatalogClient<T> {
  const { client, close } = createRpcClient(CatalogService, { target, defaultTimeoutMs: REGISTRY_MS_MAX });
  const health = createRpcClient(Health, { target, defaultTimeoutMs: REGISTRY_CHECK_MS_MAX });
  const probe: Probe = (signal) => health.client.check({ service: CatalogService.typeName }, { signal });
  const message = 'The schema service did not answer in time; try again';
  const watch = { probe, everyMs: REGISTRY_PROBE_EVERY_MS, message };

  return Object.freeze({
    async resolve(call, references, maySample) {
      const isCheck = areChecked(references);
      const request = {
        tables: references.map(({ schema, table, knownVersion, outdated }) => ({
          ...(schema === null ? {} : { schema }),
          table,
          knownVersion: knownVersion ?? '',
          outdated,
        })),
        maySample,
      };
      const ask = (signal: AbortSignal): ReturnType<typeof client.resolveTables> =>
        client.resolveTables(
          request,
          callOptions({ ...call, signal, ...(isCheck ? { timeoutMs: REGISTRY_CHECK_MS_MAX } : {}) }),
        );
      try {
        const answer = isCheck
          ? await ask(call.signal)
          : await whileAnswering({ ...watch, signal: call.signal }, ask);
        return answer.tables.map((table) => resolution(table, toTable));
      } catch (error) {
        const told = fromConnectError(error);
        if (!isCheck || told.code !== 'TIMEOUT') throw told;
        throw new PenstockError('UNAVAILABLE', told.message, { retryAfterS: 1, cause: error });
      }
    },
    async report(call, { schemaName, tableName, attributes, seen }) {
      const options = callOptions(call);
      if (seen.keys.length + seen.filters.length > 0)
        await client.reportReads({ schemaName, tableName, seen: learnedMessage(seen) }, options);
      if (attributes.length === 0) return;
      await client.reportAttributes(
        {
          schemaName,
          tableName,
          attributes: attributes.map(({ name, types }) => ({
            name,
            types: types.map(([type, count]) => ({ type: typeMessage(type), count })),
          })),
        },
        options,
      );
    },
    close() {
      close();
      health.close();
    },
  } satisfies CatalogClient<T>);
}
