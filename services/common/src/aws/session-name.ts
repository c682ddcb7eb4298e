import { ROLE_SESSION_NAME_CHARACTERS_MAX } from './limits.ts';

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
