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
  /** The browser's name, where it has signed in as that user before; else null (see `KnownBrowsers`). */
  readonly knownBrowserOf: (userId: string) => string | null;
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
/** Passwords that are checked of each try, so that the time does not tell how many have no second factor yet. */
const CHECKED_MIN = 2;

const refused: SignInOutcome = Object.freeze({ kind: 'problem', problem: wrongCredentials });

/** A user of the address whom a try may be of: the code is theirs, or they have none yet. */
interface Candidate {
  readonly user: User;
  /** The time step of the code; null where the user has no secret. */
  readonly step: number | null;
}

/**
 * Password and one-time code. An address may have a user in each of several tenants: the code says whose the try is. An
 * unknown address costs the same reads and the same hashes as a known one, and the password is checked even when the
 * code is wrong. So neither the answer nor its time tells what was wrong, or who else has the address.
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

  function candidateOf(user: User | null, code: string): Candidate | null {
    const secret = user === null ? null : secretOf(user);
    const step = totpStepOf(secret ?? nobodysSecret, code, clock.now());
    if (user === null || user.passwordHash === null || user.status !== 'active') return null;
    if (user.sealedTotpSecret === null) return { user, step: null };
    return secret === null || step === null ? null : { user, step };
  }

  /** The users of the address whom the try may be of; those whose code it is come first. */
  async function candidatesOf({ email, code }: Credentials): Promise<readonly Candidate[]> {
    const userIds = await emails.usersOf(email);
    const found = await Promise.all((userIds.length === 0 ? [nobody] : userIds).map((id) => users.get(id)));
    const candidates = found.flatMap((user) => candidateOf(user, code) ?? []);
    return candidates.toSorted((a, b) => Number(a.step === null) - Number(b.step === null));
  }

  /** Null where the user may not go on, though the password is right. */
  async function further({ user, step }: Candidate): Promise<SignInOutcome | null> {
    if (step !== null) {
      const signedIn = await useStep(user.userId, step);
      return signedIn === null ? null : { kind: 'signed-in', user: signedIn };
    }
    // A user who has a passkey, or had a factor, must not enroll another one by the password alone.
    const hasPasskey = (await passkeys.idsOf(user)).length > 0;
    const hadFactor = user.enrollment > FIRST_ENROLLMENT;
    return hasPasskey || hadFactor ? null : { kind: 'second-factor', user };
  }

  async function check(candidates: readonly Candidate[], password: string): Promise<SignInOutcome> {
    const hashes = candidates.map(({ user }) => user.passwordHash ?? nobodysHash);
    while (hashes.length < CHECKED_MIN) hashes.push(nobodysHash);
    const rights: boolean[] = [];
    for (const hash of hashes) rights.push(await passwordMatches(hash, password));
    for (const [i, candidate] of candidates.entries()) {
      const outcome = rights[i] === true ? await further(candidate) : null;
      if (outcome !== null) return outcome;
    }
    return refused;
  }

  return {
    async signIn(credentials) {
      const { email, password, remoteAddress, knownBrowserOf } = credentials;
      const all = await candidatesOf(credentials);
      // Known as the one whose code it is, a browser tries no other's password.
      const holder = all.find(({ step }) => step !== null);
      const knownBrowser = holder === undefined ? null : knownBrowserOf(holder.user.userId);
      const candidates = holder === undefined || knownBrowser === null ? all : [holder];
      const attempt = { email, remoteAddress, knownBrowser };
      const problem = await tries.admit(attempt);
      if (problem !== null) return { kind: 'problem', problem };
      const outcome = await check(candidates, password);
      if (outcome.kind !== 'problem') await tries.forgive(attempt);
      return outcome;
    },
  };
}
