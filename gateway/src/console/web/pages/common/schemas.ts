/** Schemas, as the REST API has them, and what may be done with one. */
import type { Outcome } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';
import { forgetCatalog } from './catalog.ts';

export interface ReadLimits {
  readonly unitsPerSecond?: number;
  readonly unitsPerQuery?: number;
  readonly tableUnitsPerSecond?: Readonly<Record<string, number>>;
}

export interface SchemaRecord {
  readonly tenantId: string;
  readonly schemaName: string;
  readonly region: string;
  readonly accountId: string;
  readonly roleArn: string;
  readonly externalId: string;
  /** Empty: no restriction. */
  readonly tableAllowlist: readonly string[];
  readonly readLimits?: ReadLimits;
  readonly status: 'active' | 'disabled';
  readonly createdAt: string;
}

export type NewSchema = Pick<
  SchemaRecord,
  'schemaName' | 'region' | 'accountId' | 'roleArn' | 'externalId' | 'tableAllowlist'
>;

export type SchemaChange = Partial<Omit<NewSchema, 'schemaName'>> & {
  readonly status?: SchemaRecord['status'];
  /** Null removes them all. */
  readonly readLimits?: ReadLimits | null;
};

export interface Refreshed {
  readonly ok: boolean;
  readonly message: string;
  readonly refreshedAt: string;
  readonly tableCount: number;
  readonly failedTableCount: number;
  readonly deletedCount: number;
  /** A refresh ended less than 30 seconds ago, so nothing was done. */
  readonly skipped: boolean;
  readonly readUnits: number;
}

export interface RoleValidation {
  readonly ok: boolean;
  readonly message: string;
}

export const SCHEMAS_PATH = '/v1/schemas';

/** The gateway gives up on the customer's account after two minutes, and says so. */
const ACCOUNT_MS_MAX = 130_000;

export const schemaPath = (schemaName: string): string => `${SCHEMAS_PATH}/${encodeURIComponent(schemaName)}`;

/** Whatever came of it: an answer that was lost may have changed something, too. */
async function changing<T>(work: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await work;
  forgetCatalog();
  return outcome;
}

export const createSchema = (body: NewSchema): Promise<Outcome<SchemaRecord>> =>
  changing(ask<SchemaRecord>(SCHEMAS_PATH, { method: 'POST', body }));

export const changeSchema = (schemaName: string, body: SchemaChange): Promise<Outcome<SchemaRecord>> =>
  changing(ask<SchemaRecord>(schemaPath(schemaName), { method: 'PATCH', body, repeatable: true }));

export const deleteSchema = (schemaName: string): Promise<Outcome<unknown>> =>
  changing(ask<unknown>(schemaPath(schemaName), { method: 'DELETE' }));

/** Checks the role as it is now; changes nothing. */
export const validateRole = (schemaName: string): Promise<Outcome<RoleValidation>> =>
  ask<RoleValidation>(`${schemaPath(schemaName)}/validate-role`, {
    method: 'POST',
    repeatable: true,
    msMax: ACCOUNT_MS_MAX,
  });

/** Describes and samples the tables again, which consumes read units. */
export const refreshTables = (schemaName: string): Promise<Outcome<Refreshed>> =>
  changing(
    ask<Refreshed>(`${schemaPath(schemaName)}/refresh-metadata`, { method: 'POST', msMax: ACCOUNT_MS_MAX }),
  );
