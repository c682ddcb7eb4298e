import { randomBytes } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { accountIdOf } from '../oauth/accounts.ts';
import type { KnownBrowsers } from '../oauth/browser/known-browsers.ts';
import type { SignIn } from '../store/sign-ins.ts';
import type { Throttles } from '../throttling/throttles.ts';
import type { User } from '../users/user.ts';
import { openForm } from './interactions.ts';
import type {
  InteractionBrowser,
  InteractionForm,
  InteractionOptions,
  OpenInteraction,
} from './interactions.ts';
import type { Passkeys } from './passkeys.ts';
import type { Credentials, PasswordSignIn } from './password-sign-in.ts';
import { passkeyRefused, tooManySignIns } from './problem.ts';
import type { SignInProblem } from './problem.ts';

const ROUND_BYTES = 16;

type Stage = Exclude<SignIn['stage'], 'anew'>;

/** How a try went; `user` is the one who got further. */
export type SignInResult =
  | {
      readonly kind: 'further';
      readonly user: User;
      readonly stage: Stage;
      /** Set-Cookie values for the browser: its earlier cookies are no longer good. */
      readonly setCookies: readonly string[];
      /** The browser's cookies from then on. */
      readonly browser: InteractionBrowser;
    }
  | { readonly kind: 'problem'; readonly problem: SignInProblem };

/** All throw as `openForm` does. */
export interface SignIns {
  withPassword(
    form: InteractionForm,
    credentials: Omit<Credentials, 'knownBrowserOf'>,
  ): Promise<SignInResult>;
  /** JSON for navigator.credentials.get(). */
  beginPasskey(form: InteractionForm): Promise<string>;
  withPasskey(
    form: InteractionForm,
    answer: { responseJson: string; remoteAddress: string },
  ): Promise<SignInResult>;
  /** Shows the sign-in page again, although somebody is signed in. */
  useAnotherAccount(form: InteractionForm): Promise<void>;
}

interface SignInOptions extends InteractionOptions {
  readonly password: PasswordSignIn;
  readonly passkeys: Passkeys;
  readonly knownBrowsers: KnownBrowsers;
  readonly throttles: Throttles;
  readonly clock: Clock;
}

export function createSignIns(options: SignInOptions): SignIns {
  const { password, passkeys, knownBrowsers, throttles, signIns, cookies, clock } = options;

  async function further(open: OpenInteraction, user: User, stage: Stage): Promise<SignInResult> {
    const atS = Math.floor(clock.now() / 1000);
    const round = randomBytes(ROUND_BYTES).toString('base64url');
    await signIns.put(open.id, { stage, accountId: accountIdOf(user), atS, round }, open.expiresAtS);
    const own = cookies.setInteraction(open.id, round);
    const setCookies = stage === 'signed-in' ? [own, knownBrowsers.remember(user.userId)] : [own];
    const [cookieHeader = ''] = own.split(';');
    return { kind: 'further', user, stage, setCookies, browser: { interactionId: open.id, cookieHeader } };
  }

  return {
    async withPassword(form, credentials) {
      const open = await openForm(options, form);
      const knownBrowserOf = (userId: string): string | null =>
        knownBrowsers.knownIn(form.browser.cookieHeader, userId);
      const outcome = await password.signIn({ ...credentials, knownBrowserOf });
      return outcome.kind === 'problem' ? outcome : further(open, outcome.user, outcome.kind);
    },

    async beginPasskey(form) {
      return passkeys.signInOptions((await openForm(options, form)).id);
    },

    async withPasskey(form, { responseJson, remoteAddress }) {
      const open = await openForm(options, form);
      const waitS = await throttles.signInsByAddress.take(remoteAddress);
      if (waitS !== null) return { kind: 'problem', problem: tooManySignIns(waitS) };
      const user = await passkeys.verifySignIn(open.id, responseJson);
      if (user === null) return { kind: 'problem', problem: passkeyRefused };
      await throttles.signInsByAddress.giveBack(remoteAddress);
      return further(open, user, 'signed-in');
    },

    async useAnotherAccount(form) {
      const open = await openForm(options, form);
      const atS = Math.floor(clock.now() / 1000);
      await signIns.put(open.id, { stage: 'anew', atS, round: open.round }, open.expiresAtS);
    },
  };
}
