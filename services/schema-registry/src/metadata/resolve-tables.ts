import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { METADATA_FRESH_MS, OUTDATED_AGAIN_MS, RESOLVE_CONCURRENCY, TABLE_READ_MS_MAX } from '../limits.ts';
import type { RoleClaims } from '../claims/role-claims.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { accessFingerprint, isRestricted } from '../schemas/table-allowlist.ts';
import { createAbsentTables } from './absent-tables.ts';
import type { BackgroundRefresh } from '../jobs/background-refresh.ts';
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import { findSchema } from './find-schema.ts';
import { mayExist, tableNotFound, twinInCase, type AskedTable } from './find-table.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import { NOTHING_LEARNED, type LearnedStatistics } from './learned/learned-statistics.ts';
import { learnedVersion, metadataVersionOf } from './learned/shown-statistics.ts';
import type { LearnedStore } from '../store/learned-store.ts';
import type { ReadTable } from './read-table.ts';
import { createSingleFlight } from '@penstock/common/concurrency/single-flight.ts';
import { tableVersion, type TableMetadata } from './table-metadata.ts';
import type { OpenTenantTables } from '../dynamodb/tenant-tables.ts';

/** A table as written in SQL. */
interface TableReference {
  /** Null where the statement does not qualify the table. */
  readonly schema: string | null;
  readonly table: string;
  /** The version that the caller holds; empty for none. */
  readonly knownVersion: string;
  /** True where DynamoDB refused what was planned by that version. */
  readonly outdated: boolean;
}

/** A table to be located. */
interface Wanted extends AskedTable {
  /** The version that is known to be wrong; null: none is. */
  readonly outdatedVersion: string | null;
}

/** A table, or why there is none. */
export type Resolution =
  | {
      readonly kind: 'found';
      readonly version: string;
      readonly record: SchemaRecord;
      readonly metadata: TableMetadata;
      /** What queries saw of it. */
      readonly learned: LearnedStatistics;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'error'; readonly error: PenstockError };

/** The calling statement. */
interface ResolveCall {
  readonly tenantId: string;
  readonly requestId: string;
  /** False in plan mode: what is missing is described, but no item is read. */
  readonly maySample: boolean;
}

/** Resolves the tables of a statement; answers in the order of the references. */
export type ResolveTables = (
  call: ResolveCall,
  references: readonly TableReference[],
) => Promise<readonly Resolution[]>;

/** Builds it. Throws only for our own faults; everything else is the answer for its table. */
export function createResolveTables(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  learned: LearnedStore;
  claims: RoleClaims;
  openTables: OpenTenantTables;
  readTable: ReadTable;
  background: BackgroundRefresh;
  clock: Clock;
}): ResolveTables {
  const absent = createAbsentTables(parts.clock);
  const reads = createSingleFlight<TableMetadata>();

  return async (call, references) => {
    const schemas = new Map<string, Promise<SchemaRecord>>();
    const schemaOf = (reference: TableReference): Promise<SchemaRecord> => {
      // Each spelling of a schema's name is looked up once, since messages repeat the name as written.
      const key = JSON.stringify(reference.schema === null ? [reference.table] : reference.schema);
      const asked = schemas.get(key) ?? findSchema(parts.schemas, call.tenantId, reference);
      schemas.set(key, asked);
      return asked;
    };
    return mapConcurrently(references, RESOLVE_CONCURRENCY, (reference) =>
      resolve(call, reference, schemaOf),
    );
  };

  async function resolve(
    call: ResolveCall,
    reference: TableReference,
    schemaOf: (reference: TableReference) => Promise<SchemaRecord>,
  ): Promise<Resolution> {
    try {
      const record = await schemaOf(reference);
      const asked: Wanted = {
        schema: reference.schema ?? record.schemaName,
        table: reference.table,
        outdatedVersion: reference.outdated ? metadataVersionOf(reference.knownVersion) : null,
      };
      const metadata = await locate(call, record, asked);
      // Engines read with what they are answered here, so the role must be this tenant's by now.
      const [learned] = await Promise.all([
        learnedOf(record, metadata.tableName),
        parts.claims.ensure(record, () =>
          parts.openTables(record, call.requestId).connect(AbortSignal.timeout(TABLE_READ_MS_MAX)),
        ),
      ]);
      const version = learnedVersion(tableVersion(record, metadata), learned);
      if (version === reference.knownVersion) return { kind: 'unchanged' };
      return { kind: 'found', version, record, metadata, learned };
    } catch (error) {
      if (!(error instanceof PenstockError)) throw error;
      return { kind: 'error', error };
    }
  }

  /** It only helps to plan, so that it may be a moment old, and missing where the store is away for a moment. */
  async function learnedOf(record: SchemaRecord, tableName: string): Promise<LearnedStatistics> {
    const stored = await parts.learned.get(record, tableName, false).catch(() => null);
    return stored?.statistics.shown ?? NOTHING_LEARNED;
  }

  /** The exact name first, even where a name that differs only in case is known: these may be two tables. */
  async function locate(call: ResolveCall, record: SchemaRecord, asked: Wanted): Promise<TableMetadata> {
    if (!mayExist(record, asked.table) || absent.has(record.incarnation, asked.table)) {
      return known(call, record, twinInCase(asked, await visibleNames(record)), asked);
    }
    try {
      return await known(call, record, asked.table, asked);
    } catch (error) {
      if (!(error instanceof PenstockError)) throw error;
      if (error.code !== 'TABLE_NOT_FOUND' && error.code !== 'ACCESS_DENIED') throw error;
      return twinOf(call, record, asked, error);
    }
  }

  async function twinOf(
    call: ResolveCall,
    record: SchemaRecord,
    asked: Wanted,
    error: PenstockError,
  ): Promise<TableMetadata> {
    const visible = await visibleNames(record);
    // A name that the allowlist spells out means that table and no other.
    if (isRestricted(record.tableAllowlist)) {
      throw error.code === 'TABLE_NOT_FOUND' ? tableNotFound(asked, visible) : error;
    }
    let twin: string;
    try {
      twin = twinInCase(asked, visible);
    } catch (noTwin) {
      throw error.code === 'ACCESS_DENIED' ? error : noTwin;
    }
    const metadata = await known(call, record, twin, asked);
    absent.add(record.incarnation, asked.table);
    return metadata;
  }

  async function known(
    call: ResolveCall,
    record: SchemaRecord,
    tableName: string,
    asked: Wanted,
  ): Promise<TableMetadata> {
    const stored = await parts.metadata.get(record, tableName);
    const isKnown = stored !== null && stored.isCurrent;
    if (!isKnown || (call.maySample && stored.metadata.sampledAt === null)) {
      return read(call, record, tableName, asked);
    }
    const ageMs = parts.clock.now() - Date.parse(stored.metadata.describedAt);
    const isOutdated = tableVersion(record, stored.metadata) === asked.outdatedVersion;
    if (isOutdated && ageMs > OUTDATED_AGAIN_MS) return read(call, record, tableName, asked);
    if (ageMs > METADATA_FRESH_MS) void parts.background.table(record, tableName, call.requestId);
    return stored.metadata;
  }

  async function read(
    call: ResolveCall,
    record: SchemaRecord,
    tableName: string,
    asked: AskedTable,
  ): Promise<TableMetadata> {
    const key = JSON.stringify([record.incarnation, accessFingerprint(record), tableName, call.maySample]);
    try {
      // Not bound to the caller's signal: others may be waiting for the same read.
      return await reads.run(key, async () => {
        const request = { record, tables: parts.openTables(record, call.requestId), tableName };
        if (!call.maySample) return (await parts.readTable({ ...request, maySample: false })).metadata;
        try {
          return (await parts.readTable({ ...request, maySample: true })).metadata;
        } catch (error) {
          if (!isWithoutSample(error)) throw error;
          return (await parts.readTable({ ...request, maySample: false })).metadata;
        }
      });
    } catch (error) {
      if (error instanceof PenstockError && error.code === 'TABLE_NOT_FOUND')
        throw tableNotFound(asked, await visibleNames(record));
      throw error;
    }
  }

  async function visibleNames(record: SchemaRecord): Promise<readonly string[]> {
    if (isRestricted(record.tableAllowlist)) return record.tableAllowlist;
    return (await parts.metadata.known(record)).map(({ tableName }) => tableName);
  }
}

/**
 * A sample only helps to plan: a role that may not scan, or a table that is throttled now, can still be read by key, and
 * a query that does need the scan meets the same refusal itself.
 */
function isWithoutSample(error: unknown): boolean {
  return error instanceof PenstockError && (error.code === 'ACCESS_DENIED' || error.code === 'THROTTLED');
}
