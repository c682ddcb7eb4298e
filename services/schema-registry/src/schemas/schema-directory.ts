import { setTimeout as pause } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { SCHEMA_PAGE_MAX, WRITE_ATTEMPTS_MAX, WRITE_PAUSE_MS_MAX } from '../limits.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { schemaAlreadyExists, schemaNotFound, tooManySchemas } from './schema-errors.ts';
import {
  schemaKey,
  type ReadLimits,
  type SchemaFields,
  type SchemaRecord,
  type SchemaStatus,
} from './schema-record.ts';
import type { CheckCapacity } from './check-capacity.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { accessFingerprint, withoutDuplicates } from './table-allowlist.ts';
import { checkFields, checkSchemaName } from './validate-fields.ts';

/** What happens around a change of a record. */
interface SchemaEffects {
  /** Starts a background refresh; returns soon and never throws. */
  refreshSoon(record: SchemaRecord, requestId: string): Promise<void>;
  /** Removes the metadata of a life that has ended; never throws. */
  forgetMetadata(record: SchemaRecord): Promise<void>;
  /** Lets go of the record's role, unless another schema of the tenant names it; never throws. */
  releaseRole(record: SchemaRecord): Promise<void>;
}

/** What a PATCH may hold; absent fields stay. */
export interface SchemaChanges {
  readonly region?: string | undefined;
  readonly accountId?: string | undefined;
  readonly roleArn?: string | undefined;
  readonly externalId?: string | undefined;
  readonly tableAllowlist?: readonly string[] | undefined;
  readonly status?: SchemaStatus | undefined;
  /** Null: there are to be none. */
  readonly readLimits?: ReadLimits | null | undefined;
}

/** A page of records, and where to go on. */
interface SchemaList {
  readonly items: readonly SchemaRecord[];
  readonly nextToken: string | null;
}

/** The schemas of all tenants, each call within one tenant. Errors are PenstockErrors. */
export interface SchemaDirectory {
  /** Throws VALIDATION_ERROR, SCHEMA_ALREADY_EXISTS, ROLE_NOT_ASSUMABLE, LIMIT_REACHED. */
  create(
    tenantId: string,
    schemaName: string,
    fields: SchemaFields,
    requestId: string,
  ): Promise<SchemaRecord>;
  /** Throws SCHEMA_NOT_FOUND. */
  get(tenantId: string, schemaName: string): Promise<SchemaRecord>;
  /** Throws VALIDATION_ERROR for a cursor that is not one of this tenant's. */
  list(tenantId: string, page: { limit: number; nextToken: string | null }): Promise<SchemaList>;
  /** Throws VALIDATION_ERROR (also when nothing is to change), SCHEMA_NOT_FOUND, ROLE_NOT_ASSUMABLE. */
  update(
    tenantId: string,
    schemaName: string,
    changes: SchemaChanges,
    requestId: string,
  ): Promise<SchemaRecord>;
  /** Removes record and metadata; the record as it was. Throws SCHEMA_NOT_FOUND. */
  remove(tenantId: string, schemaName: string): Promise<SchemaRecord>;
}

/** Builds the directory over a store. */
export function createSchemaDirectory(parts: {
  store: SchemaStore;
  /** Throws VALIDATION_ERROR for a role that no schema may name. */
  checkRole: (roleArn: string) => Promise<void>;
  /** Throws ROLE_NOT_ASSUMABLE or VALIDATION_ERROR for a role and external ID that are another tenant's. */
  checkClaim: (tenantId: string, fields: SchemaFields) => Promise<void>;
  /** Throws VALIDATION_ERROR for read limits of tables that are not there, or above what tables have. */
  checkCapacity: CheckCapacity;
  effects: SchemaEffects;
  /** Schemas that a tenant may have. */
  schemasMax: number;
  clock: Clock;
  newId: () => string;
}): SchemaDirectory {
  const { store, checkRole, checkClaim, checkCapacity, effects, schemasMax, clock, newId } = parts;

  async function get(tenantId: string, schemaName: string): Promise<SchemaRecord> {
    const record = await store.get(tenantId, schemaName);
    if (record === null) throw schemaNotFound(schemaName);
    return record;
  }

  async function create(
    tenantId: string,
    schemaName: string,
    given: SchemaFields,
    requestId: string,
  ): Promise<SchemaRecord> {
    checkSchemaName(schemaName);
    checkFields(given);
    await checkRole(given.roleArn);
    await checkClaim(tenantId, given);
    const now = new Date(clock.now()).toISOString();
    const record: SchemaRecord = Object.freeze({
      kind: 'schema',
      tenantId,
      schemaName,
      region: given.region,
      accountId: given.accountId,
      roleArn: given.roleArn,
      externalId: given.externalId,
      tableAllowlist: withoutDuplicates(given.tableAllowlist),
      readLimits: given.readLimits,
      status: 'active',
      createdAt: now,
      updatedAt: now,
      incarnation: newId(),
      revision: 1,
    });
    const made = await store.create(record, schemasMax);
    if (made === 'exists') throw schemaAlreadyExists();
    if (made === 'full') throw tooManySchemas(schemasMax);
    await effects.refreshSoon(record, requestId);
    return record;
  }

  async function update(
    tenantId: string,
    schemaName: string,
    changes: SchemaChanges,
    requestId: string,
  ): Promise<SchemaRecord> {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new PenstockError('VALIDATION_ERROR', 'At least one field to change must be given');
    }
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS_MAX; attempt++) {
      const before = await get(tenantId, schemaName);
      const after = changed(before, changes);
      checkFields(after);
      if (after.roleArn !== before.roleArn) await checkRole(after.roleArn);
      // A schema may be suspended although its role is no longer the tenant's.
      if (after.status === 'active') await checkClaim(tenantId, after);
      if (changes.readLimits !== undefined) await checkCapacity(after, requestId);
      if (await store.replace(after, before)) {
        await applyEffects(before, after, changes, requestId);
        return after;
      }
      await pause(Math.random() * WRITE_PAUSE_MS_MAX);
    }
    throw new PenstockError('UNAVAILABLE', 'The schema is being changed by others; try again');
  }

  function changed(before: SchemaRecord, changes: SchemaChanges): SchemaRecord {
    const region = changes.region ?? before.region;
    const accountId = changes.accountId ?? before.accountId;
    const sameTables = region === before.region && accountId === before.accountId;
    return Object.freeze({
      ...before,
      region,
      accountId,
      roleArn: changes.roleArn ?? before.roleArn,
      externalId: changes.externalId ?? before.externalId,
      tableAllowlist:
        changes.tableAllowlist === undefined
          ? before.tableAllowlist
          : withoutDuplicates(changes.tableAllowlist),
      readLimits: changes.readLimits === undefined ? before.readLimits : changes.readLimits,
      status: changes.status ?? before.status,
      // A clock may step back; the record's time never does.
      updatedAt: new Date(Math.max(clock.now(), Date.parse(before.updatedAt))).toISOString(),
      incarnation: sameTables ? before.incarnation : newId(),
      revision: before.revision + 1,
    });
  }

  async function applyEffects(
    before: SchemaRecord,
    after: SchemaRecord,
    changes: SchemaChanges,
    requestId: string,
  ): Promise<void> {
    if (after.incarnation !== before.incarnation) await effects.forgetMetadata(before);
    if (after.roleArn !== before.roleArn || after.externalId !== before.externalId) {
      await effects.releaseRole(before);
    }
    const accessChanged = accessFingerprint(after) !== accessFingerprint(before);
    if (after.status === 'active' && (changes.status === 'active' || accessChanged)) {
      await effects.refreshSoon(after, requestId);
    }
  }

  async function list(
    tenantId: string,
    asked: { limit: number; nextToken: string | null },
  ): Promise<SchemaList> {
    const [after = null] = asked.nextToken === null ? [] : decodeCursor('schemas', tenantId, asked.nextToken);
    const limit = Math.min(asked.limit, SCHEMA_PAGE_MAX);
    const { records, more } = await store.page(tenantId, { after, limit });
    const last = records.at(-1);
    const nextToken =
      more && last !== undefined ? encodeCursor('schemas', tenantId, [schemaKey(last.schemaName)]) : null;
    return Object.freeze({ items: records, nextToken });
  }

  async function remove(tenantId: string, schemaName: string): Promise<SchemaRecord> {
    const removed = await store.remove(tenantId, schemaName);
    if (removed === null) throw schemaNotFound(schemaName);
    await effects.releaseRole(removed);
    await effects.forgetMetadata(removed);
    return removed;
  }

  return Object.freeze({ create, get, list, update, remove });
}
