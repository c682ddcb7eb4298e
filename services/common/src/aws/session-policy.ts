import { SESSION_POLICY_CHARACTERS_MAX } from './limits.ts';
import type { RoleAccess } from './role-access.ts';

/** All that Penstock ever does in a tenant's account. */
export const READ_ACTIONS: readonly string[] = Object.freeze([
  'dynamodb:BatchGetItem',
  'dynamodb:DescribeTable',
  'dynamodb:GetItem',
  'dynamodb:ListTables',
  'dynamodb:Query',
  'dynamodb:Scan',
]);

/**
 * Lets DynamoDB decrypt a table that is encrypted under the tenant's own KMS key. DynamoDB asks KMS in the session's
 * name, so without this the session could not read such tables ("Encryption at rest: key policies").
 */
const DECRYPT_THROUGH_DYNAMODB = Object.freeze({
  Effect: 'Allow',
  Action: 'kms:Decrypt',
  Resource: '*',
  Condition: { StringLike: { 'kms:ViaService': 'dynamodb.*' } },
});

/**
 * The session policies to try, narrowest first, each within AssumeRole's limit of characters. The last one restricts
 * actions only. It is for an access without an allowlist, and for one whose tables STS cannot pack: STS measures the
 * packed size itself, and tells only by refusing.
 */
export function sessionPolicies(access: Omit<RoleAccess, 'externalId'>): readonly string[] {
  const actionsOnly = document(READ_ACTIONS, ['*']);
  const tables = allowedTables(access);
  if (tables === null) return [actionsOnly];
  const narrow = tablesOnly(access, tables);
  return narrow.length <= SESSION_POLICY_CHARACTERS_MAX ? [narrow, actionsOnly] : [actionsOnly];
}

/** The accesses that `accessForTable` made of one, by table: an access lives as long as what is known of its table. */
const narrowed = new WeakMap<object, ReadonlyMap<string, RoleAccess>>();

/**
 * The access to read one table with. An allowlist that does not fit one session policy is divided: each session may
 * read as many tables as one policy holds. So no session may read a table outside the allowlist, however long the
 * list is. The result is the same for the same table and allowlist, in any order.
 */
export function accessForTable<Access extends RoleAccess>(access: Access, tableName: string): RoleAccess {
  let parts = narrowed.get(access);
  if (parts === undefined) {
    const tables = allowedTables(access);
    if (tables === null || fits(access, tables)) return access;
    parts = divide(access, [...tables].sort());
    narrowed.set(access, parts);
  }
  // For a table outside the allowlist: AWS refuses it with any of them.
  const [first = access] = parts.values();
  return parts.get(tableName) ?? first;
}

function divide(access: RoleAccess, tables: readonly string[]): ReadonlyMap<string, RoleAccess> {
  const parts = new Map<string, RoleAccess>();
  for (let start = 0; start < tables.length;) {
    let end = start + 1;
    while (end < tables.length && fits(access, tables.slice(start, end + 1))) end++;
    const group = tables.slice(start, end);
    const own = part(access, group);
    for (const table of group) parts.set(table, own);
    start = end;
  }
  return parts;
}

function part({ roleArn, externalId, region }: RoleAccess, tableAllowlist: readonly string[]): RoleAccess {
  return Object.freeze({ roleArn, externalId, region, tableAllowlist: Object.freeze(tableAllowlist) });
}

const fits = (access: RoleAccess, tables: readonly string[]): boolean =>
  tablesOnly(access, tables).length <= SESSION_POLICY_CHARACTERS_MAX;

function tablesOnly(access: Omit<RoleAccess, 'externalId'>, tables: readonly string[]): string {
  const actions = READ_ACTIONS.filter((action) => action !== 'dynamodb:ListTables');
  return document(actions, tableArns(access, tables));
}

/** The allowlist without repetitions; null where it allows every table. */
function allowedTables({ tableAllowlist }: Omit<RoleAccess, 'externalId'>): readonly string[] | null {
  if (tableAllowlist.length === 0 || tableAllowlist.includes('*')) return null;
  return [...new Set(tableAllowlist)];
}

/** Tables and their indexes as ARNs. */
function tableArns(
  { roleArn, region }: Omit<RoleAccess, 'externalId'>,
  tables: readonly string[],
): readonly string[] {
  const [, partition, , , account] = roleArn.split(':');
  return tables.flatMap((table) => {
    const arn = `arn:${partition ?? 'aws'}:dynamodb:${region}:${account ?? '*'}:table/${table}`;
    return [arn, `${arn}/index/*`];
  });
}

function document(actions: readonly string[], resources: readonly string[]): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }, DECRYPT_THROUGH_DYNAMODB],
  });
}
