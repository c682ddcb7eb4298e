import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { VALIDATE_ROLE_MS_MAX } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { isRestricted, isWildcard } from '../schemas/table-allowlist.ts';
import { checkListing, checkNamedTables } from './check-tables.ts';
import { checkExternalId, type IsAssumable } from './external-id.ts';
import type { FreshTables, OpenFreshTables } from '../dynamodb/fresh-tables.ts';
import { OWN_ROLE, type IsOwnRole } from './own-role.ts';

/** What was found. The message names no ARN but the schema's own role. */
interface RoleValidation {
  /** True only when every check passed. */
  readonly ok: boolean;
  readonly message: string;
}

/**
 * Checks a schema's role as it is now, in the contract's four steps: assume it; with `*` list the tables; with names
 * describe and probe each; without an allowlist nothing more. A role that does not ask for the external ID fails,
 * too: its trust policy must name it.
 */
export type ValidateRole = (
  record: SchemaRecord,
  call: { requestId: string; signal?: AbortSignal | undefined },
) => Promise<RoleValidation>;

/**
 * Builds it. What is wrong at the tenant's side is in the result.
 * @param isAssumable null where STS checks no external IDs (an emulator), so that there is nothing to find out
 */
export function createValidateRole(
  openFresh: OpenFreshTables,
  isOwnRole: IsOwnRole,
  isAssumable: IsAssumable | null,
): ValidateRole {
  return async (record, { requestId, signal }) => {
    const limit = AbortSignal.timeout(VALIDATE_ROLE_MS_MAX);
    const bounded = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    let fresh: FreshTables;
    try {
      if (await isOwnRole(record.roleArn, bounded)) return failed(OWN_ROLE);
      fresh = await openFresh(record, requestId, bounded);
    } catch (error) {
      return failed(assumeFailure(record, error));
    }
    try {
      const [tables, externalId] = await Promise.all([
        checkTables(record, fresh, bounded),
        isAssumable === null ? null : checkExternalId(isAssumable, record, requestId, bounded),
      ]);
      const wrong = [externalId, tables].filter((text) => text !== null);
      return wrong.length === 0 ? passed(record) : failed(wrong.join('. '));
    } finally {
      fresh.close();
    }
  };
}

async function checkTables(
  record: SchemaRecord,
  fresh: FreshTables,
  signal: AbortSignal,
): Promise<string | null> {
  if (isWildcard(record.tableAllowlist)) return checkListing(record, fresh.tables, signal);
  if (isRestricted(record.tableAllowlist)) return checkNamedTables(record, fresh.tables, signal);
  return null;
}

/** STS answers alike for a role that is not there, one that does not trust us and a wrong external ID. */
function assumeFailure(record: SchemaRecord, error: unknown): string {
  if (!(error instanceof PenstockError)) throw error;
  if (error.code !== 'ACCESS_DENIED') return `The role could not be checked: ${error.message}`;
  return (
    `The role ${record.roleArn} could not be assumed: check that the role exists, that its trust policy trusts ` +
    `the service and requires this external ID`
  );
}

function passed(record: SchemaRecord): RoleValidation {
  const { tableAllowlist } = record;
  const tables = isWildcard(tableAllowlist)
    ? ' and may list the tables'
    : tableAllowlist.length > 0
      ? ` and may read ${tableAllowlist.length === 1 ? 'the table' : `all ${tableAllowlist.length} tables`} of the allowlist`
      : '';
  return Object.freeze({ ok: true, message: `The role can be assumed${tables}` });
}

function failed(message: string): RoleValidation {
  return Object.freeze({ ok: false, message });
}
