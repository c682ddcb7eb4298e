import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import type { Clock } from '../time/clock.ts';
import { ROLE_SESSION_LIFETIME_S, ROLE_SESSION_NAME_CHARACTERS_MAX } from './limits.ts';
import type { RoleAccess } from './role-access.ts';
import { sessionPolicies } from './session-policy.ts';

/** Credentials of a role session. `expiration` is by this process's clock, whatever STS's clock says. */
export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
}

/** Who assumes which role, and for which request. Without an external ID (null) none is sent. */
export interface AssumeRoleCall {
  readonly tenantId: string;
  readonly access: Omit<RoleAccess, 'externalId'> & { readonly externalId: string | null };
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Assumes a role with the external ID and the narrowest session policy that STS accepts: its packed form may be too
 * large although the text is not. Throws what the SDK throws.
 */
export async function assumeRole(
  sts: STSClient,
  clock: Clock,
  call: AssumeRoleCall,
): Promise<RoleCredentials> {
  const policies = sessionPolicies(call.access);
  for (const [attempt, policy] of policies.entries())
    try {
      return await assumeWithPolicy(sts, clock, call, policy);
    } catch (error) {
      const tooLarge = error instanceof Error && error.name.startsWith('PackedPolicyTooLarge');
      if (!tooLarge || attempt === policies.length - 1) throw error;
    }
  throw new Error('no session policy to try');
}

async function assumeWithPolicy(
  sts: STSClient,
  clock: Clock,
  call: AssumeRoleCall,
  policy: string,
): Promise<RoleCredentials> {
  const askedAt = clock.now();
  const answer = await sts.send(
    new AssumeRoleCommand({
      RoleArn: call.access.roleArn,
      ...(call.access.externalId === null ? {} : { ExternalId: call.access.externalId }),
      RoleSessionName: roleSessionName(call.tenantId, call.requestId),
      DurationSeconds: ROLE_SESSION_LIFETIME_S,
      Policy: policy,
    }),
    call.signal === undefined ? {} : { abortSignal: call.signal },
  );
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined || SessionToken === undefined)
    throw new Error('STS answered AssumeRole without credentials');
  // The SDK learns from the answer's Date how far our clock is off. A lifetime is right on either clock.
  const lifetimeMs =
    Expiration === undefined
      ? ROLE_SESSION_LIFETIME_S * 1000
      : Expiration.getTime() - (clock.now() + sts.config.systemClockOffset);
  return Object.freeze({
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: new Date(askedAt + Math.min(lifetimeMs, ROLE_SESSION_LIFETIME_S * 1000)),
  });
}

/**
 * The name of a role session, as the tenant sees it in CloudTrail: tenant and request, within the 64 characters of
 * `[\w+=,.@-]` that AssumeRole allows. Where both do not fit, dashes go first, then the request's head (the tail of a
 * UUIDv7 is its random part).
 */
export function roleSessionName(tenantId: string, requestId: string): string {
  const legal = (text: string) => text.replace(/[^\w+=,.@-]/g, '_');
  const tenant = legal(tenantId) || 'tenant';
  const request = legal(requestId) || 'request';
  const whole = `${tenant}.${request}`;
  if (whole.length <= ROLE_SESSION_NAME_CHARACTERS_MAX) return whole;
  const shortTenant = tenant.replaceAll('-', '').slice(0, ROLE_SESSION_NAME_CHARACTERS_MAX / 2);
  const left = ROLE_SESSION_NAME_CHARACTERS_MAX - shortTenant.length - 1;
  return `${shortTenant}.${request.replaceAll('-', '').slice(-left)}`;
}
