import { PenstockError } from '../errors/penstock-error.ts';

const THROTTLING = new Set([
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
]);

/**
 * A role of the service's own account is never a customer's. A tenant that could name one would make the service use
 * that role's rights against itself (AWS, "The confused deputy problem").
 */
export function ownRoleError(): PenstockError {
  return new PenstockError(
    'ACCESS_DENIED',
    'Access denied: the role belongs to the account of this service',
    {
      detail: "The schema's roleArn must be a role of the account that owns the tables.",
    },
  );
}

/** For a role that STS does not let us assume, and for one that this tenant may not use: both in the same words. */
export function roleNotAssumable(cause?: unknown): PenstockError {
  return new PenstockError(
    'ACCESS_DENIED',
    'Access denied: the role cannot be assumed (check that it exists, and its trust policy and external ID)',
    {
      detail:
        "The role must exist, its trust policy must allow this service to assume it, and the trust policy's " +
        "external-ID condition must equal the schema's externalId.",
      cause,
    },
  );
}

/** What a failed AssumeRole means to the caller. STS's own message names ARNs and stays in the cause. */
export function assumeRoleError(cause: unknown): PenstockError {
  if (cause instanceof PenstockError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'AccessDenied' || name === 'AccessDeniedException') return roleNotAssumable(cause);
  if (name === 'AbortError') return new PenstockError('CANCELLED', 'The request was cancelled', { cause });
  if (THROTTLING.has(name))
    return new PenstockError('THROTTLED', 'Too many role sessions were asked for; try again', {
      retryAfterS: 1,
      cause,
    });
  return new PenstockError('UNAVAILABLE', 'Credentials for the role are not available now; try again', {
    retryAfterS: 1,
    cause,
  });
}
