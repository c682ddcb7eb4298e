import { randomBase32 } from '../auth/session-token.ts';
import { AwsError } from '../errors.ts';
import { SESSION_SECONDS_DEFAULT, SESSION_SECONDS_MAX } from '../limits.ts';
import type { QueryAction, QueryApi, QueryCall } from '../query/api.ts';
import { integerParameter, requiredParameter } from '../query/parameters.ts';
import type { XmlValue } from '../query/xml.ts';
import type { AccessCheck } from './access.ts';
import {
  checkInlinePolicySize,
  checkTrustPolicySize,
  pathParameter,
  policyNameParameter,
  roleNameParameter,
} from './parameters.ts';
import type { RoleStore } from './role-store.ts';
import { roleArn, type RoleRecord } from './role.ts';

/** The part of IAM that roles need, with IAM's error codes. Errors: see each action in the IAM API Reference. */
export function createIamApi(roles: RoleStore, mayDo: AccessCheck, now: () => number): QueryApi {
  function existing(call: QueryCall): RoleRecord {
    const roleName = roleNameParameter(call.parameters);
    const role = roles.find(call.principal.accountId, roleName);
    if (role === undefined) throw noSuchEntity(`The role with name ${roleName} cannot be found.`);
    return role.record;
  }

  function existingPolicy(call: QueryCall): { role: RoleRecord; policyName: string; text: string } {
    const role = existing(call);
    const policyName = policyNameParameter(call.parameters);
    const text = role.policies[policyName];
    if (text === undefined) throw noSuchEntity(`The role policy with name ${policyName} cannot be found.`);
    return { role, policyName, text };
  }

  const createRole: QueryAction = ({ principal, parameters }) => {
    const roleName = roleNameParameter(parameters);
    const path = pathParameter(parameters);
    const trustPolicy = requiredParameter(parameters, 'AssumeRolePolicyDocument');
    checkTrustPolicySize(trustPolicy);
    if (roles.find(principal.accountId, roleName) !== undefined)
      throw new AwsError('EntityAlreadyExists', `Role with name ${roleName} already exists.`, 409);
    const record: RoleRecord = {
      accountId: principal.accountId,
      roleName,
      roleId: `AROA${randomBase32(17)}`,
      path,
      description: parameters.get('Description') ?? undefined,
      createdAt: new Date(now()).toISOString().replace(/\.\d{3}Z$/, 'Z'),
      maxSessionSeconds: integerParameter(parameters, 'MaxSessionDuration', {
        min: SESSION_SECONDS_DEFAULT,
        max: SESSION_SECONDS_MAX,
        default: SESSION_SECONDS_DEFAULT,
      }),
      trustPolicy,
      policies: {},
    };
    roles.put(record);
    return { Role: describeRole(record) };
  };

  const getRole: QueryAction = (call) => ({ Role: describeRole(existing(call)) });

  const deleteRole: QueryAction = (call) => {
    const role = existing(call);
    if (Object.keys(role.policies).length > 0)
      throw new AwsError('DeleteConflict', 'Cannot delete entity, must delete policies first.', 409);
    roles.delete(role.accountId, role.roleName);
    return undefined;
  };

  const updateAssumeRolePolicy: QueryAction = (call) => {
    const trustPolicy = requiredParameter(call.parameters, 'PolicyDocument');
    checkTrustPolicySize(trustPolicy);
    roles.put({ ...existing(call), trustPolicy });
    return undefined;
  };

  const putRolePolicy: QueryAction = (call) => {
    const role = existing(call);
    const text = requiredParameter(call.parameters, 'PolicyDocument');
    const policies = { ...role.policies, [policyNameParameter(call.parameters)]: text };
    checkInlinePolicySize(Object.values(policies), role.roleName);
    roles.put({ ...role, policies });
    return undefined;
  };

  const deleteRolePolicy: QueryAction = (call) => {
    const { role, policyName } = existingPolicy(call);
    const { [policyName]: _deleted, ...policies } = role.policies;
    roles.put({ ...role, policies });
    return undefined;
  };

  const getRolePolicy: QueryAction = (call) => {
    const { role, policyName, text } = existingPolicy(call);
    return { RoleName: role.roleName, PolicyName: policyName, PolicyDocument: encodeURIComponent(text) };
  };

  const listRolePolicies: QueryAction = (call) => ({
    PolicyNames: Object.keys(existing(call).policies),
    IsTruncated: 'false',
  });

  const actions: Readonly<Record<string, QueryAction>> = {
    CreateRole: createRole,
    GetRole: getRole,
    DeleteRole: deleteRole,
    UpdateAssumeRolePolicy: updateAssumeRolePolicy,
    PutRolePolicy: putRolePolicy,
    GetRolePolicy: getRolePolicy,
    ListRolePolicies: listRolePolicies,
    DeleteRolePolicy: deleteRolePolicy,
  };
  return {
    service: 'iam',
    version: '2010-05-08',
    namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    actions: new Map(Object.entries(actions).map(([name, act]) => [name, guarded(name, act, mayDo)])),
  };
}

/** Lets only those do an action who may. */
function guarded(name: string, act: QueryAction, mayDo: AccessCheck): QueryAction {
  return (call) => {
    const { principal, region, parameters } = call;
    const action = `iam:${name}`;
    const resource = `arn:aws:iam::${principal.accountId}:role/${parameters.get('RoleName') ?? ''}`;
    const refusal = mayDo(principal, { action, resource, region });
    if (refusal !== undefined)
      throw new AwsError(
        'AccessDenied',
        `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${refusal}`,
        403,
      );
    return act(call);
  };
}

function describeRole(record: RoleRecord): XmlValue {
  return {
    Path: record.path,
    RoleName: record.roleName,
    RoleId: record.roleId,
    Arn: roleArn(record),
    CreateDate: record.createdAt,
    AssumeRolePolicyDocument: encodeURIComponent(record.trustPolicy),
    Description: record.description,
    MaxSessionDuration: record.maxSessionSeconds,
  };
}

function noSuchEntity(message: string): AwsError {
  return new AwsError('NoSuchEntity', message, 404);
}
