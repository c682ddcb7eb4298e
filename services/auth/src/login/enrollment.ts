/** Enrolling a second factor: in an interaction whose password was right, or by a link that an administrator gave. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Envelope } from '../keys/envelope.ts';
import { INTERACTION_LIFETIME_S } from '../limits.ts';
import { accountIdOf } from '../oauth/accounts.ts';
import type { EnrollmentStore } from '../store/enrollments.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { PendingStore } from '../store/pending.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { hashSecret } from '../tokens/secret.ts';
import { refusalOf } from '../users/chosen-password.ts';
import { hashPassword } from '../users/password.ts';
import {
  newTotpEnrollment,
  pendingTotpContext,
  totpContext,
  totpEnrollmentOf,
  totpStepOf,
} from '../users/totp.ts';
import type { TotpEnrollment } from '../users/totp.ts';
import type { User } from '../users/user.ts';
import { interactionGone, openForm } from './interactions.ts';
import type { InteractionForm, InteractionOptions, OpenInteraction } from './interactions.ts';
import type { Passkeys } from './passkeys.ts';
import { passkeyRefused, passwordRefused, wrongCode } from './problem.ts';
import type { SignInProblem } from './problem.ts';

/** What an enrollment rests on. */
export type EnrollmentSubject =
  | { readonly kind: 'interaction'; readonly form: InteractionForm }
  | { readonly kind: 'link'; readonly token: string };

/** Whose link it is. */
interface EnrollmentLink {
  readonly email: string;
  /** The user has a password: a one-time code is enough. */
  readonly totpOffered: boolean;
  /** A password can be set with the code, and must be where there is none. */
  readonly passwordSettable: boolean;
}

/** What confirms an authenticator app. */
interface FirstCode {
  readonly code: string;
  /** Empty: the password stays. Only a link sets one, as it alone would let its owner in by a passkey. */
  readonly newPassword: string;
}

/** All throw `NOT_FOUND` where there is no such interaction (or it is not at its second factor) or no such link. */
export interface Enrollment {
  link(token: string): Promise<EnrollmentLink>;
  /** Gives the same secret until it is confirmed. */
  beginTotp(subject: EnrollmentSubject): Promise<TotpEnrollment>;
  enrollTotp(subject: EnrollmentSubject, given: FirstCode): Promise<SignInProblem | null>;
  /** JSON for navigator.credentials.create(). */
  beginPasskey(subject: EnrollmentSubject): Promise<string>;
  enrollPasskey(subject: EnrollmentSubject, responseJson: string): Promise<SignInProblem | null>;
}

interface EnrollmentOptions extends InteractionOptions {
  readonly users: PrincipalStore<User>;
  readonly enrollments: EnrollmentStore;
  readonly passkeys: Passkeys;
  readonly passkeyStore: PasskeyStore;
  readonly pending: PendingStore;
  readonly envelope: Envelope;
  readonly clock: Clock;
}

const linkGone = (): PenstockError =>
  new PenstockError('NOT_FOUND', 'This link has expired or was used. Ask your administrator for a new one.');

interface Enrolling {
  readonly user: User;
  /** The purpose under which pending secrets and challenges of the enrollment are stored. */
  readonly purpose: string;
  /** Ends the enrollment, so that it is done once; throws where another was faster. */
  claim(): Promise<void>;
  /** To be called once the factor is stored. */
  finish(): Promise<void>;
}

export function createEnrollment(options: EnrollmentOptions): Enrollment {
  const { users, enrollments, passkeys, passkeyStore, pending, envelope, signIns, clock } = options;
  const nowS = (): number => Math.floor(clock.now() / 1000);

  async function userOfLink(token: string): Promise<User> {
    const link = await enrollments.get(hashSecret(token));
    const user = link === null ? null : await users.get(link.userId);
    if (user?.status !== 'active' || user.generation !== link?.generation) throw linkGone();
    return user;
  }

  async function finishSignIn(open: OpenInteraction, user: User): Promise<void> {
    const { round } = open;
    const signIn = { stage: 'signed-in', accountId: accountIdOf(user), atS: nowS(), round } as const;
    await signIns.put(open.id, signIn, open.expiresAtS);
  }

  async function enrolling(subject: EnrollmentSubject): Promise<Enrolling> {
    if (subject.kind === 'link') {
      const user = await userOfLink(subject.token);
      return {
        user,
        purpose: subject.token,
        async claim() {
          if ((await enrollments.take(hashSecret(subject.token))) === null) throw linkGone();
        },
        finish: async () => undefined,
      };
    }
    const open = await openForm(options, subject.form);
    if (open.progress.kind !== 'second-factor') throw interactionGone();
    const { user } = open.progress;
    return {
      user,
      purpose: open.id,
      async claim() {
        // Two browsers may be at this point with one password; whoever enrolls first has the account.
        const current = await users.get(user.userId);
        const hasFactor = current?.sealedTotpSecret !== null || (await passkeyStore.idsOf(user)).length > 0;
        if (hasFactor) throw interactionGone();
      },
      finish: () => finishSignIn(open, user),
    };
  }

  async function pendingSecret({ user, purpose }: Enrolling): Promise<string | null> {
    const sealed = await pending.get(`totp:${purpose}`);
    try {
      return sealed === null ? null : envelope.open(sealed, pendingTotpContext(user.userId));
    } catch {
      // The key was taken out meanwhile: the page makes another secret.
      return null;
    }
  }

  return {
    async link(token) {
      const user = await userOfLink(token);
      return { email: user.email, totpOffered: user.passwordHash !== null, passwordSettable: true };
    },

    async beginTotp(subject) {
      const current = await enrolling(subject);
      const { user, purpose } = current;
      const shown = await pendingSecret(current);
      if (shown !== null) return totpEnrollmentOf(shown, user.email);
      const made = newTotpEnrollment(user.email);
      const sealed = await envelope.seal(made.secret, pendingTotpContext(user.userId));
      await pending.put(`totp:${purpose}`, sealed, nowS() + INTERACTION_LIFETIME_S);
      return made;
    },

    async enrollTotp(subject, { code, newPassword }) {
      const current = await enrolling(subject);
      const { user, purpose } = current;
      const password = subject.kind === 'link' ? newPassword : '';
      const refusal = password === '' && user.passwordHash !== null ? null : refusalOf(password, user.email);
      if (refusal !== null) return passwordRefused(refusal);
      const secret = await pendingSecret(current);
      const step = secret === null ? null : totpStepOf(secret, code, clock.now());
      if (secret === null || step === null) return wrongCode;
      const changedPassword = password === '' ? {} : { passwordHash: await hashPassword(password) };
      await current.claim();
      await pending.take(`totp:${purpose}`);
      const sealedTotpSecret = await envelope.seal(secret, totpContext(user.userId));
      let changed = false;
      await users.update(user.userId, (stored) => {
        // Meanwhile the user may have been disabled or enrolled again. Of two browsers with one password, one comes
        // first.
        const isFree = subject.kind === 'link' || stored.sealedTotpSecret === null;
        changed = isFree && stored.generation === user.generation;
        return changed ? { ...stored, ...changedPassword, sealedTotpSecret, lastTotpStep: step } : stored;
      });
      if (!changed) throw subject.kind === 'link' ? linkGone() : interactionGone();
      await current.finish();
      return null;
    },

    async beginPasskey(subject) {
      const { user, purpose } = await enrolling(subject);
      return passkeys.enrollmentOptions(purpose, user);
    },

    async enrollPasskey(subject, responseJson) {
      const current = await enrolling(subject);
      const passkey = await passkeys.verifyEnrollment(current.purpose, current.user, responseJson);
      if (passkey === null) return passkeyRefused;
      await current.claim();
      if (!(await passkeyStore.create(passkey))) return passkeyRefused;
      await current.finish();
      return null;
    },
  };
}
