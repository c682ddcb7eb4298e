/** Who calls, in tests: a bearer token that says so. Verification of real ones is tested where it is built. */
import type { Principal } from '@penstock/common/token/principal.ts';

export function tokenOf(caller: Principal | string): string {
  const said = typeof caller === 'string' ? principal(caller, {}) : caller;
  return Buffer.from(JSON.stringify(said)).toString('base64url');
}

export function principal(tenantId: string, overrides: Partial<Principal>): Principal {
  return {
    tenantId,
    principalId: 'client-1',
    principalType: 'client',
    scopes: ['query', 'schemas:read', 'schemas:write'],
    role: null,
    generation: 1,
    rateLimit: null,
    tokenType: 'rest',
    ...overrides,
  };
}
