import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '@penstock/common/rpc/call-context.ts';
import type { Principal } from '@penstock/common/token/principal.ts';

/**
 * Who calls from the console. Neither an agent that a user allowed nor an API client reaches what only people may do, so
 * their tokens are refused. Throws `UNAUTHORIZED`.
 */
export function consoleCallerOf(context: HandlerContext): Principal {
  const principal = principalOf(context);
  if (principal.tokenType === 'console' && principal.principalType === 'user') return principal;
  throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
}

/** The same for administrators of their tenant. Throws `TENANT_ADMIN_REQUIRED`. */
export function tenantAdminOf(context: HandlerContext): Principal {
  const principal = consoleCallerOf(context);
  if (principal.role === 'admin') return principal;
  throw new PenstockError('TENANT_ADMIN_REQUIRED', 'Tenant admin access required');
}
