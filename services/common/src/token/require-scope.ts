import { PenstockError } from '../errors/penstock-error.ts';
import type { Principal, Scope } from './principal.ts';

/** What a portal user without the admin role may do. */
const MEMBER_SCOPES: ReadonlySet<Scope> = new Set(['query', 'schemas:read']);

/**
 * Refuses a principal that may not do what the scope stands for.
 *
 * API clients may do what their scopes say, portal users what their role says. A token for MCP never reaches beyond its
 * scopes, whoever it was given to, since the user consented to those only.
 *
 * @throws PenstockError TENANT_ADMIN_REQUIRED for a member, INSUFFICIENT_SCOPE for all others
 */
export function requireScope(principal: Principal, scope: Scope): void {
  const isUser = principal.principalType === 'user';
  if (isUser && principal.role !== 'admin' && !MEMBER_SCOPES.has(scope)) {
    throw new PenstockError('TENANT_ADMIN_REQUIRED', 'Tenant admin access required');
  }
  const boundByScopes = !isUser || principal.tokenType === 'mcp';
  if (boundByScopes && !principal.scopes.includes(scope)) {
    throw new PenstockError('INSUFFICIENT_SCOPE', `The token lacks the scope this needs: ${scope}`);
  }
}
