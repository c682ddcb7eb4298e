import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';
import { accountKeyOf } from '../store/emails.ts';
import type { Attempts } from '@penstock/common/throttling/attempts.ts';
import type { Throttles } from '../throttling/throttles.ts';
import { tooManySignIns } from './problem.ts';
import type { SignInProblem } from './problem.ts';
import type { Credentials } from './password-sign-in.ts';

/** What a try is counted by. */
export interface SignInTry extends Pick<Credentials, 'email' | 'remoteAddress'> {
  /** The name of a browser that has signed in as the user before (see `KnownBrowsers`). */
  readonly knownBrowser: string | null;
}

/** Counts wrong sign-ins, so that guessing ends soon and nobody can lock somebody else out. */
export interface SignInTries {
  /** Counts the try before it is checked, so that no more parallel guesses than the limit are checked. Null: go on. */
  admit(attempt: SignInTry): Promise<SignInProblem | null>;
  /** The try was right, and does not count. */
  forgive(attempt: SignInTry): Promise<void>;
}

/**
 * Counts by account and address, so that whoever guesses locks out only their own address; by address, against
 * guesses at many accounts; and by account over all addresses, against guesses from many addresses. A browser that
 * has signed in as the user before is counted apart, so others cannot lock its owner out (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies").
 */
export function createSignInTries(throttles: Throttles): SignInTries {
  const countersOf = ({ email, remoteAddress, knownBrowser }: SignInTry): readonly [Attempts, string][] => {
    const account = accountKeyOf(email);
    if (knownBrowser !== null) return [[throttles.signInsByBrowser, `${account}:${knownBrowser}`]];
    return [
      [throttles.signInsByAddress, remoteAddress],
      [throttles.signInsByAccountAndAddress, `${account}:${throttleKeyOf(remoteAddress)}`],
      [throttles.signInsByAccount, account],
    ];
  };

  return Object.freeze({
    async admit(attempt: SignInTry): Promise<SignInProblem | null> {
      for (const [counter, key] of countersOf(attempt)) {
        const waitS = await counter.take(key);
        if (waitS !== null) return tooManySignIns(waitS);
      }
      return null;
    },
    async forgive(attempt: SignInTry): Promise<void> {
      await Promise.all(countersOf(attempt).map(([counter, key]) => counter.giveBack(key)));
    },
  });
}
