import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { LIST_PAGE_BYTES_MAX, METADATA_FRESH_MS, RESOLVE_CONCURRENCY, SCHEMA_PAGE_MAX } from '../limits.ts';
import type { RoleClaims } from '../claims/role-claims.ts';
import { decodeCursor, encodeCursor } from '../schemas/cursor.ts';
import { schemaDisabled, schemaNotFound } from '../schemas/schema-errors.ts';
import { schemaKey, type SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { isRestricted, isWildcard } from '../schemas/table-allowlist.ts';
import type { BackgroundRefresh } from '../jobs/background-refresh.ts';
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import type { RefreshStateStore } from '../store/refresh-state-store.ts';
import type { TableMetadata } from './table-metadata.ts';

/** A table of a schema, as far as it is known. */
export interface ListedTable {
  readonly schemaName: string;
  readonly tableName: string;
  /** Null where it has not been described yet. */
  readonly metadata: TableMetadata | null;
}

/** A page, and where to go on. */
interface TableList {
  /** By schema, then name. */
  readonly tables: readonly ListedTable[];
  readonly nextToken: string | null;
}

/** Which page. */
interface ListTablesCall {
  readonly tenantId: string;
  readonly requestId: string;
  /** Null: all active schemas. */
  readonly schemaName: string | null;
  readonly limit: number;
  readonly nextToken: string | null;
}

/**
 * Lists what a tenant may query: the names of an allowlist, else the tables that are known. Reads nothing at the
 * tenant's side. Throws SCHEMA_NOT_FOUND, SCHEMA_DISABLED, VALIDATION_ERROR for a foreign cursor.
 */
export type ListTables = (call: ListTablesCall) => Promise<TableList>;

interface Entry {
  readonly record: SchemaRecord;
  readonly tableName: string;
}

/** Builds it. */
export function createListTables(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  claims: RoleClaims;
  states: RefreshStateStore;
  background: BackgroundRefresh;
  clock: Clock;
}): ListTables {
  return async (call) => {
    const position = positionOf(call);
    const entries: Entry[] = [];
    for await (const record of schemasFrom(call, position)) {
      // What was learned while the role was this tenant's is not shown any more.
      if (await parts.claims.isForeign(record.tenantId, record)) continue;
      const after = schemaKey(record.schemaName) === position?.schema ? position.table : '';
      entries.push(...(await entriesOf(record, after, call.requestId)));
      if (entries.length > call.limit) break;
    }
    return toPage(call, entries);
  };

  async function* schemasFrom(call: ListTablesCall, position: Position | null): AsyncGenerator<SchemaRecord> {
    if (call.schemaName !== null) {
      yield await namedSchema(call.tenantId, call.schemaName);
      return;
    }
    if (position !== null) {
      const current = await parts.schemas.get(call.tenantId, position.schema);
      if (current?.status === 'active') yield current;
    }
    let after = position?.schema ?? null;
    for (let more = true; more;) {
      const page = await parts.schemas.page(call.tenantId, { after, limit: SCHEMA_PAGE_MAX });
      yield* page.records.filter(({ status }) => status === 'active');
      const last = page.records.at(-1);
      more = page.more && last !== undefined;
      after = last === undefined ? after : schemaKey(last.schemaName);
    }
  }

  async function namedSchema(tenantId: string, asked: string): Promise<SchemaRecord> {
    const record = await parts.schemas.get(tenantId, asked);
    if (record === null) throw schemaNotFound(asked);
    if (record.status === 'disabled') throw schemaDisabled(asked);
    return record;
  }

  async function entriesOf(record: SchemaRecord, after: string, requestId: string): Promise<Entry[]> {
    const names = isRestricted(record.tableAllowlist)
      ? [...record.tableAllowlist].sort()
      : (await parts.metadata.known(record)).map(({ tableName }) => tableName);
    if (isWildcard(record.tableAllowlist)) await refreshIfOld(record, requestId);
    return names.filter((tableName) => tableName > after).map((tableName) => ({ record, tableName }));
  }

  async function refreshIfOld(record: SchemaRecord, requestId: string): Promise<void> {
    const { ended } = await parts.states.read(record);
    const old = ended === null || parts.clock.now() - ended.endedAtMs > METADATA_FRESH_MS;
    if (old) await parts.background.schema(record, requestId);
  }

  async function toPage(call: ListTablesCall, entries: readonly Entry[]): Promise<TableList> {
    const listed = await mapConcurrently(entries.slice(0, call.limit), RESOLVE_CONCURRENCY, describe);
    const tables = listed.slice(0, fittingCount(listed));
    const last = entries[tables.length - 1];
    const nextToken =
      tables.length < entries.length && last !== undefined
        ? encodeCursor('tables', call.tenantId, [schemaKey(last.record.schemaName), last.tableName])
        : null;
    return Object.freeze({ tables, nextToken });
  }

  async function describe({ record, tableName }: Entry): Promise<ListedTable> {
    const stored = await parts.metadata.get(record, tableName);
    return { schemaName: record.schemaName, tableName, metadata: stored?.metadata ?? null };
  }
}

interface Position {
  readonly schema: string;
  readonly table: string;
}

function positionOf(call: ListTablesCall): Position | null {
  if (call.nextToken === null) return null;
  const [schema = '', table = ''] = decodeCursor('tables', call.tenantId, call.nextToken);
  if (call.schemaName !== null && schemaKey(call.schemaName) !== schema) {
    throw new PenstockError(
      'VALIDATION_ERROR',
      'nextToken is not valid: it belongs to a list of another schema',
    );
  }
  return Object.freeze({ schema, table });
}

/** How many of the tables one RPC message takes; at least one. */
function fittingCount(listed: readonly ListedTable[]): number {
  let bytes = 0;
  const over = listed.findIndex((table, index) => {
    bytes += Buffer.byteLength(JSON.stringify(table));
    return index > 0 && bytes > LIST_PAGE_BYTES_MAX;
  });
  return over < 0 ? listed.length : over;
}
