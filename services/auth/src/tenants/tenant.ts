import { z } from 'zod';

/** A customer. Limits are null where the deployment's own apply. */
export const tenantSchema = z.object({
  tenantId: z.string(),
  name: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** Requests a second. */
  rateLimitRps: z.number().nullable(),
  /** Requests at once. */
  rateLimitBurst: z.number().nullable(),
});

export type Tenant = z.infer<typeof tenantSchema>;

/** The deployment's limits, for where a tenant has but one of its own. */
export interface RateLimit {
  readonly rps: number;
  readonly burst: number;
}

/** What a token says of its tenant's limits: null where it has none of its own. */
export function rateLimitOf(tenant: Tenant, deployment: RateLimit): RateLimit | null {
  if (tenant.rateLimitRps === null && tenant.rateLimitBurst === null) return null;
  return { rps: tenant.rateLimitRps ?? deployment.rps, burst: tenant.rateLimitBurst ?? deployment.burst };
}
