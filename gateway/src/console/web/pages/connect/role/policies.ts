/**
 * The role's two policies, as the template of `deploy/customer-role` makes them. A test holds them against it, so that
 * whichever way a customer takes, the role is the same.
 */
import { partitionOf, TABLE_TAG, type RoleDraft } from './draft.ts';

export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Readonly<Record<string, unknown>>[];
}

const READ_ACTIONS = ['BatchGetItem', 'DescribeTable', 'GetItem', 'Query', 'Scan'].map(
  (name) => `dynamodb:${name}`,
);
const INDEX_ACTIONS = ['dynamodb:Query', 'dynamodb:Scan'];

const policy = (...statements: Readonly<Record<string, unknown>>[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements,
});

/** Who may assume the role: Penstock's account, under the external ID only. */
export function trustPolicy({ region, penstockAccountId, externalId }: RoleDraft): PolicyDocument {
  return policy({
    Effect: 'Allow',
    Principal: { AWS: `arn:${partitionOf(region)}:iam::${penstockAccountId}:root` },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  });
}

/** The ARNs of the tables that are named. */
export function tableArns({ region, accountId, tables }: RoleDraft): readonly string[] {
  if (tables.kind === 'tagged') return [];
  return tables.names.map(
    (name) => `arn:${partitionOf(region)}:dynamodb:${region}:${accountId}:table/${name}`,
  );
}

/** What the role may do: read the tables and their indexes; list them where they are chosen by their tag. */
export function permissions(draft: RoleDraft): PolicyDocument {
  if (draft.tables.kind === 'named') {
    const arns = tableArns(draft);
    return policy(
      { Sid: 'ReadTables', Effect: 'Allow', Action: READ_ACTIONS, Resource: arns },
      {
        Sid: 'ReadIndexes',
        Effect: 'Allow',
        Action: INDEX_ACTIONS,
        Resource: arns.map((arn) => `${arn}/index/*`),
      },
    );
  }
  return policy(
    {
      Sid: 'ReadTaggedTables',
      Effect: 'Allow',
      Action: READ_ACTIONS,
      Resource: `arn:${partitionOf(draft.region)}:dynamodb:*:${draft.accountId}:table/*`,
      Condition: { StringEquals: { [`aws:ResourceTag/${TABLE_TAG.key}`]: TABLE_TAG.value } },
    },
    { Sid: 'ListTables', Effect: 'Allow', Action: 'dynamodb:ListTables', Resource: '*' },
  );
}

/** Characters that IAM counts of a role's own policies; white space is free (IAM User Guide, "IAM quotas"). */
const ROLE_POLICY_CHARS_MAX = 10_240;

/** True where IAM would refuse the permissions as too long: tables have to be tagged then. */
export function isTooLong(document: PolicyDocument): boolean {
  return JSON.stringify(document).length > ROLE_POLICY_CHARS_MAX;
}
