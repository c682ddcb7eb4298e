import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent, writeDurably } from '../durable-file.ts';
import { parseIdentityPolicy, parseTrustPolicy } from '../policy/document.ts';
import type { Role, RoleRecord } from './role.ts';

/** Every account's roles, in memory and in one file an account, which is written before a change is answered. */
export interface RoleStore {
  find(accountId: string, roleName: string): Role | undefined;
  /** Adds a role or replaces the one of that name. Throws MalformedPolicyDocument and then changes nothing. */
  put(record: RoleRecord): void;
  delete(accountId: string, roleName: string): void;
}

/** Opens the store in a folder of its own, which need not exist yet. */
export function openRoleStore(folder: string): RoleStore {
  const accounts = new Map<string, Map<string, Role>>();
  for (const accountId of storedAccounts(folder))
    accounts.set(accountId, readAccount(join(folder, `${accountId}.json`)));

  function save(accountId: string, roles: ReadonlyMap<string, Role>): void {
    const records = [...roles.values()].map((role) => role.record);
    writeDurably(join(folder, `${accountId}.json`), JSON.stringify({ roles: records }, null, 2));
  }

  function change(accountId: string, edit: (roles: Map<string, Role>) => void): void {
    const roles = new Map(accounts.get(accountId));
    edit(roles);
    save(accountId, roles);
    accounts.set(accountId, roles);
  }

  return {
    find: (accountId, roleName) => accounts.get(accountId)?.get(nameKey(roleName)),
    put: (record) => {
      const role = readRole(record);
      change(record.accountId, (roles) => roles.set(nameKey(record.roleName), role));
    },
    delete: (accountId, roleName) => change(accountId, (roles) => roles.delete(nameKey(roleName))),
  };
}

/** Role names are unique whatever their case. */
function nameKey(roleName: string): string {
  return roleName.toLowerCase();
}

function readRole(record: RoleRecord): Role {
  return {
    record,
    trust: parseTrustPolicy(record.trustPolicy),
    identity: Object.values(record.policies).map(parseIdentityPolicy),
  };
}

function readAccount(path: string): Map<string, Role> {
  const { roles } = JSON.parse(readIfPresent(path) ?? '{"roles":[]}') as { roles: RoleRecord[] };
  return new Map(roles.map((record) => [nameKey(record.roleName), readRole(record)]));
}

function storedAccounts(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => /^(\d{12})\.json$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
