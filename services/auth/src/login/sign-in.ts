import type { Clock } from '@penstock/common/time/clock.ts';
import { accountIdOf } from '../oauth/accounts.ts';
import type { SignIn } from '../store/sign-ins.ts';
import type { Throttles } from '../throttling/throttles.ts';
import type { User } from '../users/user.ts';
import { openForm } from './interactions.ts';
import type { InteractionForm, InteractionOptions, OpenInteraction } from './interactions.ts';
import type { Passkeys } from './passkeys.ts';
import type { Credentials, PasswordSignIn } from './password-sign-in.ts';
import { passkeyRefused, tooManySignIns } from './problem.ts';
import type { SignInProblem } from './problem.ts';

type Stage = Exclude<SignIn['stage'], 'anew'>;

/** What became of a try; `user` is who got further. */
export type SignInResult =
  | { readonly kind: 'further'; readonly user: User; readonly stage: Stage }
  | { readonly kind: 'problem'; readonly problem: SignInProblem };

/** All throw as `openForm` does. */
export interface SignIns {
  withPassword(form: InteractionForm, credentials: Credentials): Promise<SignInResult>;
  /** JSON for navigator.credentials.get(). */
  beginPasskey(form: InteractionForm): Promise<string>;
  withPasskey(
    form: InteractionForm,
    answer: { responseJson: string; remoteAddress: string },
  ): Promise<SignInResult>;
  /** Shows the sign-in page again, although somebody is signed in. */
  anew(form: InteractionForm): Promise<void>;
}

export interface SignInOptions extends InteractionOptions {
  readonly password: PasswordSignIn;
  readonly passkeys: Passkeys;
  readonly throttles: Throttles;
  readonly clock: Clock;
}

export function createSignIns(options: SignInOptions): SignIns {
  const { password, passkeys, throttles, signIns, clock } = options;

  async function further(open: OpenInteraction, user: User, stage: Stage): Promise<SignInResult> {
    const atS = Math.floor(clock.now() / 1000);
    await signIns.put(open.id, { stage, accountId: accountIdOf(user), atS }, open.expiresAtS);
    return { kind: 'further', user, stage };
  }

  return {
    async withPassword(form, credentials) {
      const open = await openForm(options, form);
      const outcome = await password.signIn(credentials);
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

    async anew(form) {
      const open = await openForm(options, form);
      await signIns.put(open.id, { stage: 'anew', atS: Math.floor(clock.now() / 1000) }, open.expiresAtS);
    },
  };
}
