import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { OWN_ACCOUNT_MS_MAX } from '../limits.ts';

/** Whether a role is one of the account that the service runs in. Throws PenstockErrors where STS cannot tell. */
export type IsOwnRole = (roleArn: string, signal?: AbortSignal) => Promise<boolean>;

/** The refusal of such a role: a tenant that may name it could use its rights against the service. */
export const OWN_ROLE =
  'roleArn must not be a role of the account that this service runs in: create the role in the account that owns the ' +
  'tables, and name that account and role';

/**
 * The check of a role that a schema is to name. While STS is away nothing is refused: each role is checked again
 * before it is assumed (`assumed-role.ts` of common), so a wrong one is refused at validate-role or at its first use.
 */
export function refuseOwnRoles(isOwnRole: IsOwnRole, logger: Logger): (roleArn: string) => Promise<void> {
  return async (roleArn) => {
    let isOwn: boolean;
    try {
      isOwn = await isOwnRole(roleArn, AbortSignal.timeout(OWN_ACCOUNT_MS_MAX));
    } catch (error) {
      logger.warn(
        { err: error },
        'STS does not say which account is ours; a role is checked at its first use',
      );
      return;
    }
    if (isOwn) throw new PenstockError('VALIDATION_ERROR', OWN_ROLE);
  };
}
