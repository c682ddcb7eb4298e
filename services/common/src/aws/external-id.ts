import { randomUUID } from 'node:crypto';

/** `penstock-<tenant ID>-…`, in upper or lower case: a trust policy may ignore the case. */
const PROPOSED = /^penstock-(tnt_[0-9a-f]{32})(?![0-9a-z])/i;

/** An external ID for a tenant: nobody else can register it, not even before the tenant does. */
export function proposeExternalId(tenantId: string): string {
  return `penstock-${tenantId}-${randomUUID()}`;
}

/** True where the external ID was proposed to another tenant. */
export function carriesAnotherTenant(externalId: string, tenantId: string): boolean {
  const carried = PROPOSED.exec(externalId)?.[1];
  return carried !== undefined && carried.toLowerCase() !== tenantId.toLowerCase();
}
