import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '@penstock/common/rpc/call-context.ts';
import { authorize } from '@penstock/common/token/authorize.ts';
import type { Scope } from '@penstock/common/token/principal.ts';

/**
 * The calling tenant, once the caller may do what the scope stands for.
 * @throws PenstockError UNAUTHORIZED, INSUFFICIENT_SCOPE, TENANT_ADMIN_REQUIRED
 */
export function tenantOf(context: HandlerContext, scope: Scope): string {
  const principal = principalOf(context);
  authorize(principal, scope);
  return principal.tenantId;
}
