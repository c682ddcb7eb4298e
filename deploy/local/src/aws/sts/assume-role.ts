import type { Principal, SessionPrincipal } from '../auth/principal.ts';
import type { SessionTokens } from '../auth/session-token.ts';
import { AwsError, queryValidation } from '../errors.ts';
import { requestContext, type AccessCheck } from '../iam/access.ts';
import type { RoleStore } from '../iam/role-store.ts';
import { roleArn, type Role } from '../iam/role.ts';
import {
  CHAINED_SESSION_SECONDS_MAX,
  SESSION_POLICY_CHARACTERS_MAX,
  SESSION_SECONDS_DEFAULT,
  SESSION_SECONDS_MAX,
  SESSION_SECONDS_MIN,
} from '../limits.ts';
import type { ConditionContext } from '../policy/conditions.ts';
import { parseIdentityPolicy } from '../policy/document.ts';
import { trustDecision } from '../policy/trust.ts';
import type { QueryAction, QueryCall } from '../query/api.ts';
import { checkParameter, integerParameter, requiredParameter } from '../query/parameters.ts';

interface AssumeRoleParameters {
  readonly roleArn: string;
  readonly accountId: string;
  readonly roleName: string;
  readonly sessionName: string;
  readonly externalId: string | undefined;
  readonly policy: string | undefined;
  readonly seconds: number;
}

const ROLE_ARN = /^arn:aws:iam::(\d{12}):role\/(?:[\u0021-\u007E]+\/)?([\w+=,.@-]{1,64})$/;

/** The account whose role is asked for, or undefined where the parameter is no role ARN. */
export function requestedRoleAccount(parameters: URLSearchParams): string | undefined {
  return ROLE_ARN.exec(parameters.get('RoleArn') ?? '')?.[1];
}

/**
 * STS AssumeRole: the role's trust policy decides, with `sts:ExternalId` among its condition keys. A role that
 * does not exist and one that does not trust the caller are refused alike, as on AWS.
 */
export function createAssumeRole(
  roles: RoleStore,
  tokens: SessionTokens,
  mayDo: AccessCheck,
  now: () => number,
): QueryAction {
  return (call) => {
    const asked = readParameters(call.parameters);
    const role = roles.find(asked.accountId, asked.roleName);
    if (role === undefined || roleArn(role.record) !== asked.roleArn || !trusted(role, asked, call, mayDo))
      throw new AwsError(
        'AccessDenied',
        `User: ${call.principal.arn} is not authorized to perform: sts:AssumeRole on resource: ${asked.roleArn}`,
        403,
      );
    checkDuration(asked.seconds, role, call.principal);
    const expiresAtMs = Math.floor(now() / 1000 + asked.seconds) * 1000;
    const session = sessionOf(role, asked, expiresAtMs);
    const { accessKeyId, secretAccessKey, sessionToken } = tokens.issue(session);
    return {
      AssumedRoleUser: { AssumedRoleId: session.userId, Arn: session.arn },
      Credentials: {
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        SessionToken: sessionToken,
        Expiration: new Date(expiresAtMs).toISOString().replace('.000Z', 'Z'),
      },
      PackedPolicySize:
        asked.policy && Math.ceil((100 * asked.policy.length) / SESSION_POLICY_CHARACTERS_MAX),
    };
  };
}

function readParameters(parameters: URLSearchParams): AssumeRoleParameters {
  const arn = requiredParameter(parameters, 'RoleArn');
  const sessionName = requiredParameter(parameters, 'RoleSessionName');
  checkParameter('RoleSessionName', sessionName, /^[\w+=,.@-]*$/, 2, 64);
  const externalId = parameters.get('ExternalId') ?? undefined;
  if (externalId !== undefined) checkParameter('ExternalId', externalId, /^[\w+=,.@:/-]*$/, 2, 1224);
  const seconds = integerParameter(parameters, 'DurationSeconds', {
    min: SESSION_SECONDS_MIN,
    max: SESSION_SECONDS_MAX,
    default: SESSION_SECONDS_DEFAULT,
  });
  checkParameter('RoleArn', arn, /^[\u0009\u000A\u000D\u0020-\u007E\u0085\u00A0-\uFFFF]+$/, 20, 2048);
  const [, accountId, roleName] = ROLE_ARN.exec(arn) ?? [];
  if (accountId === undefined || roleName === undefined) throw queryValidation(`${arn} is invalid`);
  for (const name of parameters.keys())
    if (/^(PolicyArns|Tags|TransitiveTagKeys|SourceIdentity|SerialNumber|TokenCode)\b/.test(name))
      throw queryValidation(`The local endpoint does not support the parameter ${name}`);
  return {
    roleArn: arn,
    accountId,
    roleName,
    sessionName,
    externalId,
    policy: readPolicy(parameters),
    seconds,
  };
}

function readPolicy(parameters: URLSearchParams): string | undefined {
  const policy = parameters.get('Policy') ?? undefined;
  if (policy === undefined) return undefined;
  checkParameter('Policy', policy, /^[\u0009\u000A\u000D\u0020-\u00FF]+$/, 1, SESSION_POLICY_CHARACTERS_MAX);
  parseIdentityPolicy(policy);
  return policy;
}

function trusted(role: Role, asked: AssumeRoleParameters, call: QueryCall, mayDo: AccessCheck): boolean {
  const { principal } = call;
  const caller = {
    accountId: principal.accountId,
    arn: principal.arn,
    ...(principal.kind === 'session' && { roleArn: principal.roleArn }),
  };
  const decision = trustDecision(role.trust, caller, trustContext(asked, call));
  if (decision === 'refused') return false;
  if (decision === 'direct' && asked.accountId === principal.accountId) return true;
  const request = { action: 'sts:AssumeRole', resource: asked.roleArn, region: call.region };
  return mayDo(principal, request) === undefined;
}

function trustContext(asked: AssumeRoleParameters, call: QueryCall): ConditionContext {
  const context = new Map(requestContext(call.principal, call.region));
  context.set('sts:rolesessionname', asked.sessionName);
  if (asked.externalId !== undefined) context.set('sts:externalid', asked.externalId);
  return context;
}

function checkDuration(seconds: number, role: Role, principal: Principal): void {
  if (principal.kind === 'session' && seconds > CHAINED_SESSION_SECONDS_MAX)
    throw queryValidation(
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
    );
  if (seconds > role.record.maxSessionSeconds)
    throw queryValidation('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
}

function sessionOf(role: Role, asked: AssumeRoleParameters, expiresAtMs: number): SessionPrincipal {
  const { accountId, roleName, roleId } = role.record;
  return {
    kind: 'session',
    accountId,
    arn: `arn:aws:sts::${accountId}:assumed-role/${roleName}/${asked.sessionName}`,
    userId: `${roleId}:${asked.sessionName}`,
    roleName,
    roleArn: roleArn(role.record),
    roleId,
    sessionPolicy: asked.policy,
    expiresAtMs,
  };
}
