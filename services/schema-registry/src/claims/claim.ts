import { createHash } from 'node:crypto';
import type { SchemaFields } from '../schemas/schema-record.ts';

/** What it takes to assume a role. */
export type RolePair = Pick<SchemaFields, 'roleArn' | 'externalId'>;

/** A role and an external ID that belong to the tenant for which they were first assumed. */
export interface RoleClaim {
  readonly kind: 'claim';
  /** Names the pair without telling the external ID; see `claimIdOf`. */
  readonly claimId: string;
  /** As the owner's schema spelled it. */
  readonly roleArn: string;
  /** The owner. */
  readonly tenantId: string;
  /** When the owner got it: ISO 8601, UTC. */
  readonly claimedAt: string;
  /** Tenants that the operator lets use it as well, by name. */
  readonly lentTo: readonly string[];
  /** Tenants that were refused it, by name: whoever shared it before there were claims, or tried to. */
  readonly refused: readonly string[];
}

/** True where the tenant may use what is claimed. */
export function mayUse(claim: RoleClaim, tenantId: string): boolean {
  return claim.tenantId === tenantId || claim.lentTo.includes(tenantId);
}

const ID_CHARACTERS = 32;

/**
 * Names a pair: hexadecimal, the same for every spelling that could mean the same role. Roles of an account that
 * differ only in case or path are one to IAM (IAM User Guide, "IAM and AWS STS quotas", name requirements), and a
 * trust policy may compare the external ID whatever its case (StringEqualsIgnoreCase).
 */
export function claimIdOf({ roleArn, externalId }: RolePair): string {
  const [, partition = '', , , account = '', resource = ''] = roleArn.toLowerCase().split(':');
  const roleName = resource.slice(resource.lastIndexOf('/') + 1);
  const pair = JSON.stringify([partition, account, roleName, externalId.toLowerCase()]);
  return createHash('sha256').update(pair).digest('hex').slice(0, ID_CHARACTERS);
}
