import { sessionPolicyCharactersMax } from './limits.ts';
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
 * Lets DynamoDB decrypt a table that is encrypted under the tenant's own KMS key: it asks KMS in the session's name, so
 * a session policy without this would lock the role out of such tables ("Encryption at rest: key policies").
 */
const DECRYPT_THROUGH_DYNAMODB = Object.freeze({
  Effect: 'Allow',
  Action: 'kms:Decrypt',
  Resource: '*',
  Condition: { StringLike: { 'kms:ViaService': 'dynamodb.*' } },
});

/** The session policies to try, narrowest first; each is within AssumeRole's limit of characters. */
export function sessionPolicies(access: Omit<RoleAccess, 'externalId'>): readonly string[] {
  const actionsOnly = document(READ_ACTIONS, ['*']);
  const tables = tableArns(access);
  if (tables === null) return [actionsOnly];
  const narrow = document(
    READ_ACTIONS.filter((action) => action !== 'dynamodb:ListTables'),
    tables,
  );
  return narrow.length <= sessionPolicyCharactersMax ? [narrow, actionsOnly] : [actionsOnly];
}

/** The allowlist as ARNs of tables and their indexes; null where it allows every table. */
function tableArns({
  roleArn,
  region,
  tableAllowlist,
}: Omit<RoleAccess, 'externalId'>): readonly string[] | null {
  if (tableAllowlist.length === 0 || tableAllowlist.includes('*')) return null;
  const [, partition, , , account] = roleArn.split(':');
  return [...new Set(tableAllowlist)].flatMap((table) => {
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
