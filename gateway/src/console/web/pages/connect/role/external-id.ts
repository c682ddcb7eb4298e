/**
 * An external ID for the tenant, as the registry proposes them: nobody else can register one with this tenant's ID in
 * it. It is made in the browser, and is the customer's from here on.
 */
export function newExternalId(tenantId: string): string {
  return `penstock-${tenantId}-${crypto.randomUUID()}`;
}
