import type { Principal, SessionPrincipal } from '../auth/principal.ts';
import type { ConditionContext } from '../policy/conditions.ts';
import { parseIdentityPolicy, type PolicyDocument } from '../policy/document.ts';
import { decide } from '../policy/evaluate.ts';
import type { RoleStore } from './role-store.ts';

/** The end of AWS's refusal, for example `because no session policy allows the dynamodb:Scan action`. */
type Refusal = string;

/** Asks whether a principal may do something; undefined means yes. */
export type AccessCheck = (
  principal: Principal,
  request: { readonly action: string; readonly resource: string; readonly region: string },
) => Refusal | undefined;

/**
 * Identity-based access within the principal's own account: an owner may do anything; a session what both its
 * role's inline policies, as they are now, and its session policy allow.
 */
export function createAccessCheck(roles: RoleStore): AccessCheck {
  const sessionPolicies = new WeakMap<SessionPrincipal, PolicyDocument>();

  function sessionPolicy(principal: SessionPrincipal): PolicyDocument | undefined {
    if (principal.sessionPolicy === undefined) return undefined;
    const known = sessionPolicies.get(principal) ?? parseIdentityPolicy(principal.sessionPolicy);
    sessionPolicies.set(principal, known);
    return known;
  }

  return (principal, { action, resource, region }) => {
    if (principal.kind === 'account') return undefined;
    const role = roles.find(principal.accountId, principal.roleName);
    const identity = role?.record.roleId === principal.roleId ? role.identity : [];
    const request = { action, resource, context: requestContext(principal, region) };
    const byRole = decide(identity, request);
    if (byRole === 'explicit-deny') return 'with an explicit deny in an identity-based policy';
    const narrowing = sessionPolicy(principal);
    const bySession = narrowing === undefined ? 'allow' : decide([narrowing], request);
    if (bySession === 'explicit-deny') return 'with an explicit deny in a session policy';
    if (byRole === 'implicit-deny') return `because no identity-based policy allows the ${action} action`;
    if (bySession === 'implicit-deny') return `because no session policy allows the ${action} action`;
    return undefined;
  };
}

/** Condition keys that every request has. The endpoint counts as reached over TLS, as AWS always is. */
export function requestContext(principal: Principal, region: string): ConditionContext {
  return new Map([
    ['aws:principalarn', principal.kind === 'session' ? principal.roleArn : principal.arn],
    ['aws:principalaccount', principal.accountId],
    ['aws:principaltype', principal.kind === 'session' ? 'AssumedRole' : 'Account'],
    ['aws:userid', principal.userId],
    ['aws:requestedregion', region],
    ['aws:securetransport', 'true'],
  ]);
}
