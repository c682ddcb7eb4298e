/** What the wizard knows of the role that it asks for. */

/** The role's name in CloudFormation, Terraform and the commands, unless the customer chooses another. */
export const ROLE_NAME = 'penstock-access';

/** The tag that stands for "Penstock may read this table". */
export const TABLE_TAG = Object.freeze({ key: 'penstock', value: 'read' });

/** Which tables a role may read: those named, or those tagged, now or later. */
export type TableChoice =
  | { readonly kind: 'named'; readonly names: readonly string[] }
  | { readonly kind: 'tagged' };

/** Everything that the trust policy and the permissions are made of. All of it has passed the form's checks. */
export interface RoleDraft {
  /** Of the tables. */
  readonly region: string;
  /** That owns the tables: 12 digits. */
  readonly accountId: string;
  /** That Penstock runs in: 12 digits. */
  readonly penstockAccountId: string;
  readonly externalId: string;
  readonly roleName: string;
  readonly tables: TableChoice;
}

/** The ARN that the role will have. */
export function roleArnOf({ region, accountId, roleName }: RoleDraft): string {
  return `arn:${partitionOf(region)}:iam::${accountId}:role/${roleName}`;
}

const PARTITIONS: readonly (readonly [prefix: string, partition: string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['eusc-', 'aws-eusc'],
  ['us-isob-', 'aws-iso-b'],
  ['us-isof-', 'aws-iso-f'],
  ['eu-isoe-', 'aws-iso-e'],
  ['us-iso-', 'aws-iso'],
];

/** The partition that a region is in (IAM User Guide, "IAM ARNs"). A test holds it against the SDK's own data. */
export function partitionOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}
