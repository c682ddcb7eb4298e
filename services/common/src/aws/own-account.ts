import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { PenstockError } from '../errors/penstock-error.ts';
import { abortable } from './abortable.ts';
import { assumeRoleError } from './errors.ts';

/** The account that the service itself runs in. */
interface OwnAccount {
  /**
   * Whether a role belongs to that account. STS is asked once who we are, and the answer is kept. After a failure it
   * is asked again next time. Throws PenstockError: THROTTLED or UNAVAILABLE where STS does not answer, CANCELLED
   * when `signal` aborts.
   */
  holds(roleArn: string, signal?: AbortSignal): Promise<boolean>;
}

/** For a service that may use roles of its own account: no role counts as one, and STS is not asked. */
export const anyAccount: OwnAccount = Object.freeze({ holds: () => Promise.resolve(false) });

/** `arn:<partition>:iam::<account>:role/…` */
const accountOf = (roleArn: string): string | undefined => roleArn.split(':')[4];

function identityError(cause: unknown): PenstockError {
  const error = assumeRoleError(cause);
  if (error.code !== 'ACCESS_DENIED') return error;
  // No IAM policy can deny this call. A policy of the network can, such as a VPC endpoint's.
  return new PenstockError('UNAVAILABLE', 'Credentials for the role are not available now; try again', {
    retryAfterS: 1,
    cause,
  });
}

export function createOwnAccount(sts: STSClient): OwnAccount {
  let known: Promise<string> | null = null;

  async function ask(): Promise<string> {
    const { Account } = await sts.send(new GetCallerIdentityCommand({}));
    if (Account === undefined) throw new Error('STS answered GetCallerIdentity without an account');
    return Account;
  }

  return Object.freeze({
    async holds(roleArn: string, signal?: AbortSignal) {
      known ??= ask().catch((error: unknown) => {
        known = null;
        throw identityError(error);
      });
      try {
        return accountOf(roleArn) === (await abortable(known, signal));
      } catch (error) {
        throw assumeRoleError(error);
      }
    },
  });
}
