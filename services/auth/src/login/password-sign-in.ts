import { randomBytes } from 'node:crypto';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Envelope } from '../keys/envelope.ts';
import type { EmailStore } from '../store/emails.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { hashPassword, passwordMatches } from '../users/password.ts';
import { newTotpEnrollment, totpContext, totpStepOf } from '../users/totp.ts';
import { FIRST_ENROLLMENT } from '../users/user.ts';
import type { User } from '../users/user.ts';
import { wrongCredentials } from './problem.ts';
import type { SignInProblem } from './problem.ts';
import type { SignInTries } from './sign-in-tries.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly remoteAddress: string;
  /** The name of a browser that has signed in to this account before (see `KnownBrowsers`). */
  readonly knownBrowser: string | null;
}

type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly user: User }
  /** The password is right, and the user has neither a one-time-code secret nor a passkey. */
  | { readonly kind: 'second-factor'; readonly user: User }
  | { readonly kind: 'problem'; readonly problem: SignInProblem };

export interface PasswordSignIn {
  signIn(credentials: Credentials): Promise<SignInOutcome>;
}

interface PasswordSignInOptions {
  readonly users: PrincipalStore<User>;
  readonly emails: EmailStore;
  readonly passkeys: PasskeyStore;
  readonly envelope: Envelope;
  readonly tries: SignInTries;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** No user has this ID. It is looked up so that an unknown address takes as long as a known one. */
const nobody = 'usr_nobody';

const refused: SignInOutcome = Object.freeze({ kind: 'problem', problem: wrongCredentials });

/**
 * Password and one-time code. An unknown address costs the same reads and the same hash as a known one, and the code
 * is checked even when the password is wrong. So neither the answer nor its time tells what was wrong.
 */
export async function createPasswordSignIn(options: PasswordSignInOptions): Promise<PasswordSignIn> {
  const { users, emails, passkeys, envelope, tries, clock, logger } = options;
  const nobodysHash = await hashPassword(randomBytes(32).toString('base64url'));
  const nobodysSecret = newTotpEnrollment('').secret;

  /** A code works once, also where two present it at the same moment. */
  async function useStep(userId: string, step: number): Promise<User | null> {
    let isNew = false;
    const user = await users.update(userId, (current) => {
      isNew = step > current.lastTotpStep && current.status === 'active';
      return isNew ? { ...current, lastTotpStep: step } : current;
    });
    return isNew ? user : null;
  }

  /** Null where no secret can be opened. Then no code is right, and the answer says no more than that. */
  function secretOf({ userId, sealedTotpSecret: sealed }: User): string | null {
    try {
      return sealed === null ? null : envelope.open(sealed, totpContext(userId));
    } catch (error) {
      logger.error(
        { err: error, userId },
        'a one-time-code secret cannot be opened: the user has to enroll again',
      );
      return null;
    }
  }

  async function check({ email, password, code }: Credentials): Promise<SignInOutcome> {
    const user = await users.get((await emails.userOf(email)) ?? nobody);
    const isRight = await passwordMatches(user?.passwordHash ?? nobodysHash, password);
    const secret = user === null ? null : secretOf(user);
    const found = totpStepOf(secret ?? nobodysSecret, code, clock.now());
    const step = secret === null ? null : found;
    if (user === null || !isRight || user.passwordHash === null || user.status !== 'active') return refused;
    if (user.sealedTotpSecret === null) {
      // A user who has a passkey, or had a factor, must not enroll another one by the password alone.
      const hasPasskey = (await passkeys.idsOf(user)).length > 0;
      const hadFactor = user.enrollment > FIRST_ENROLLMENT;
      return hasPasskey || hadFactor ? refused : { kind: 'second-factor', user };
    }
    const signedIn = step === null ? null : await useStep(user.userId, step);
    return signedIn === null ? refused : { kind: 'signed-in', user: signedIn };
  }

  return {
    async signIn(credentials) {
      const problem = await tries.admit(credentials);
      if (problem !== null) return { kind: 'problem', problem };
      const outcome = await check(credentials);
      if (outcome.kind !== 'problem') await tries.forgive(credentials);
      return outcome;
    },
  };
}
