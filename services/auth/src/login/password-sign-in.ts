import { randomBytes } from 'node:crypto';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Envelope } from '../keys/envelope.ts';
import { normalizeEmail } from '../store/emails.ts';
import type { EmailStore } from '../store/emails.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { Throttles } from '../throttling/throttles.ts';
import { hashSecret } from '../tokens/secret.ts';
import { hashPassword, passwordMatches } from '../users/password.ts';
import { newTotpEnrollment, totpContext, totpStepOf } from '../users/totp.ts';
import { firstEnrolment } from '../users/user.ts';
import type { User } from '../users/user.ts';
import { tooManySignIns, wrongCredentials } from './problem.ts';
import type { SignInProblem } from './problem.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly remoteAddress: string;
}

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly user: User }
  /** The password is right, and the user has neither a one-time-code secret nor a passkey. */
  | { readonly kind: 'second-factor'; readonly user: User }
  | { readonly kind: 'problem'; readonly problem: SignInProblem };

export interface PasswordSignIn {
  signIn(credentials: Credentials): Promise<SignInOutcome>;
}

export interface PasswordSignInOptions {
  readonly users: PrincipalStore<User>;
  readonly emails: EmailStore;
  readonly passkeys: PasskeyStore;
  readonly envelope: Envelope;
  readonly throttles: Throttles;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** No user has this ID; it is looked up all the same. */
const nobody = 'usr_nobody';

const refused: SignInOutcome = Object.freeze({ kind: 'problem', problem: wrongCredentials });

/**
 * Password and one-time code. An unknown address costs the same reads and the same hash as a known one, and the code is
 * looked at whatever the password, so neither answer nor time tells what was wrong.
 */
export async function createPasswordSignIn(options: PasswordSignInOptions): Promise<PasswordSignIn> {
  const { users, emails, passkeys, envelope, throttles, clock, logger } = options;
  const nobodysHash = await hashPassword(randomBytes(32).toString('base64url'));
  const nobodysSecret = newTotpEnrollment('').secret;

  /** Counts the try before it is judged: of parallel guesses no more than the limit are. */
  async function admit(accountKey: string, remoteAddress: string): Promise<SignInProblem | null> {
    const byAddress = await throttles.signInsByAddress.take(remoteAddress);
    const waitS = byAddress ?? (await throttles.signInsByAccount.take(accountKey));
    return waitS === null ? null : tooManySignIns(waitS);
  }

  /** A code works once, also where two present it at the same moment. */
  async function useStep(userId: string, step: number): Promise<User | null> {
    let isNew = false;
    const user = await users.update(userId, (current) => {
      isNew = step > current.lastTotpStep && current.status === 'active';
      return isNew ? { ...current, lastTotpStep: step } : current;
    });
    return isNew ? user : null;
  }

  /** Null where there is none that can be opened: then no code is right, and nobody is told more. */
  function secretOf({ userId, sealedTotpSecret: sealed }: User): string | null {
    try {
      return sealed === null ? null : envelope.open(sealed, totpContext(userId));
    } catch (error) {
      logger.error({ err: error, userId }, 'a one-time-code secret cannot be opened: enrol the user anew');
      return null;
    }
  }

  async function judge({ email, password, code }: Credentials): Promise<SignInOutcome> {
    const user = await users.get((await emails.userOf(email)) ?? nobody);
    const isRight = await passwordMatches(user?.passwordHash ?? nobodysHash, password);
    const secret = user === null ? null : secretOf(user);
    const judged = totpStepOf(secret ?? nobodysSecret, code, clock.now());
    const step = secret === null ? null : judged;
    if (user === null || !isRight || user.passwordHash === null || user.status !== 'active') return refused;
    if (user.sealedTotpSecret === null) {
      // Who has a passkey, or had a factor, must not get another one by the password alone.
      const hasPasskey = (await passkeys.idsOf(user)).length > 0;
      const hadFactor = user.enrolment > firstEnrolment;
      return hasPasskey || hadFactor ? refused : { kind: 'second-factor', user };
    }
    const signedIn = step === null ? null : await useStep(user.userId, step);
    return signedIn === null ? refused : { kind: 'signed-in', user: signedIn };
  }

  return {
    async signIn(credentials) {
      const accountKey = hashSecret(normalizeEmail(credentials.email));
      const problem = await admit(accountKey, credentials.remoteAddress);
      if (problem !== null) return { kind: 'problem', problem };
      const outcome = await judge(credentials);
      if (outcome.kind !== 'problem') {
        await Promise.all([
          throttles.signInsByAccount.giveBack(accountKey),
          throttles.signInsByAddress.giveBack(credentials.remoteAddress),
        ]);
      }
      return outcome;
    },
  };
}
