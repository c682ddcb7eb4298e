import { AwsError } from '../errors.ts';
import { ROLE_POLICIES_CHARACTERS_MAX, TRUST_POLICY_CHARACTERS_MAX } from '../limits.ts';
import { checkParameter, requiredParameter } from '../query/parameters.ts';

/** Reads `RoleName`. Throws ValidationError. */
export function roleNameParameter(parameters: URLSearchParams): string {
  return nameParameter(parameters, 'RoleName', 64);
}

/** Reads `PolicyName`. Throws ValidationError. */
export function policyNameParameter(parameters: URLSearchParams): string {
  return nameParameter(parameters, 'PolicyName', 128);
}

/** Reads `Path`, `/` by default. Throws ValidationError. */
export function pathParameter(parameters: URLSearchParams): string {
  const path = parameters.get('Path') ?? '/';
  // IAM's own expression, word for word, since errors quote it; its text has 512 characters at most.
  // oxlint-disable-next-line regexp/no-super-linear-move -- bounded
  checkParameter('Path', path, /^(\/)|(\/[\u0021-\u007E]+\/)$/, 1, 512);
  if (!path.startsWith('/') || !path.endsWith('/'))
    throw new AwsError(
      'ValidationError',
      'The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.',
    );
  return path;
}

/** Refuses trust policies above IAM's quota. Throws LimitExceeded. */
export function checkTrustPolicySize(text: string): void {
  if (sizeOf(text) > TRUST_POLICY_CHARACTERS_MAX)
    throw new AwsError(
      'LimitExceeded',
      `Cannot exceed quota for ACLSizePerRole: ${TRUST_POLICY_CHARACTERS_MAX}`,
      409,
    );
}

/** Refuses inline policies above IAM's quota for all of a role's together. Throws LimitExceeded. */
export function checkInlinePolicySize(texts: readonly string[], roleName: string): void {
  const size = texts.reduce((sum, text) => sum + sizeOf(text), 0);
  if (size > ROLE_POLICIES_CHARACTERS_MAX)
    throw new AwsError(
      'LimitExceeded',
      `Maximum policy size of ${ROLE_POLICIES_CHARACTERS_MAX} bytes exceeded for role ${roleName}`,
      409,
    );
}

function nameParameter(parameters: URLSearchParams, name: string, max: number): string {
  const value = requiredParameter(parameters, name);
  checkParameter(name, value, /^[\w+=,.@-]+$/, 1, max);
  return value;
}

function sizeOf(text: string): number {
  return text.replace(/\s+/g, '').length;
}
