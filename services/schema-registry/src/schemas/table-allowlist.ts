import { createHash } from 'node:crypto';
import type { SchemaFields } from './schema-record.ts';

/** True when the allowlist says "all tables" explicitly, which also means that the role may list them. */
export function isWildcard(allowlist: readonly string[]): boolean {
  return allowlist.includes('*');
}

/** True when only the named tables may be used. */
export function isRestricted(allowlist: readonly string[]): boolean {
  return allowlist.length > 0 && !isWildcard(allowlist);
}

/** True when the table may be used; names are matched exactly. */
export function allowsTable(allowlist: readonly string[], tableName: string): boolean {
  return !isRestricted(allowlist) || allowlist.includes(tableName);
}

/** The list without its repetitions, in the order given. */
export function withoutDuplicates(allowlist: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(allowlist)]);
}

/** Changes when the way to the tables does: region, account, role, external ID or allowlist. Hexadecimal. */
export function accessFingerprint(fields: SchemaFields): string {
  const parts = [fields.region, fields.accountId, fields.roleArn, fields.externalId, fields.tableAllowlist];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
