import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '@penstock/common/rpc/call-context.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import type { Scope } from '@penstock/common/token/principal.ts';

/**
 * The calling tenant, once the caller may do what the scope stands for.
 * @throws PenstockError UNAUTHORIZED, INSUFFICIENT_SCOPE, TENANT_ADMIN_REQUIRED
 */
export function tenantOf(context: HandlerContext, scope: Scope): string {
  const principal = principalOf(context);
  requireScope(principal, scope);
  return principal.tenantId;
}
