/**
 * The role as commands of the AWS CLI. What goes into them has passed the form's checks: no value holds a quote, a
 * blank or a line break.
 */
import { partitionOf, TABLE_TAG, type RoleDraft } from './draft.ts';
import { permissions, trustPolicy, type PolicyDocument } from './policies.ts';

export const POLICY_NAME = 'read-tables';

const file = (name: string, document: PolicyDocument): string =>
  `cat > ${name} <<'JSON'\n${JSON.stringify(document, null, 2)}\nJSON\n`;

const writeTrust = (draft: RoleDraft): string => file('penstock-trust.json', trustPolicy(draft));
const writePermissions = (draft: RoleDraft): string => file('penstock-read.json', permissions(draft));

const putPermissions = ({ roleName }: RoleDraft): string =>
  `aws iam put-role-policy --role-name ${roleName} --policy-name ${POLICY_NAME} \\
  --policy-document file://penstock-read.json
`;

/** Makes the role, and says its ARN. */
export function createCommands(draft: RoleDraft): string {
  return `${writeTrust(draft)}${writePermissions(draft)}aws iam create-role --role-name ${draft.roleName} --max-session-duration 3600 \\
  --assume-role-policy-document file://penstock-trust.json
${putPermissions(draft)}aws iam get-role --role-name ${draft.roleName} --query Role.Arn --output text
`;
}

/** Puts the right external ID, and Penstock's account, into the trust policy of a role that is there. */
export function mendTrustCommands(draft: RoleDraft): string {
  return `${writeTrust(draft)}aws iam update-assume-role-policy --role-name ${draft.roleName} \\
  --policy-document file://penstock-trust.json
`;
}

/** Gives a role that is there the permissions again, for all the tables. */
export function mendPermissionsCommands(draft: RoleDraft): string {
  return `${writePermissions(draft)}${putPermissions(draft)}`;
}

/** Tags a table (its name is to be put in), so that a role by tag may read it. */
export function tagCommand({ region, accountId }: RoleDraft): string {
  return `aws dynamodb tag-resource --region ${region} \\
  --resource-arn arn:${partitionOf(region)}:dynamodb:${region}:${accountId}:table/TABLE \\
  --tags Key=${TABLE_TAG.key},Value=${TABLE_TAG.value}
`;
}
