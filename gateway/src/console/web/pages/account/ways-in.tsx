import { useState } from 'preact/hooks';
import type { Account, EnrollmentLink, Passkey } from '../../../api/account.ts';
import { passkeyPath, PATHS } from '../../../api/paths.ts';
import type { Deleted } from '../../../api/session.ts';
import { goToSignIn } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { dateTime } from '../../components/figures.ts';
import { Icon } from '../../components/icon.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { notify } from '../../components/toasts.tsx';
import type { Problem } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';
import { useAction } from '../common/use-action.ts';

const PLACES: Readonly<Record<string, string>> = Object.freeze({
  internal: 'on a device',
  hybrid: 'on a phone',
  usb: 'on a security key',
  nfc: 'on a security key',
  ble: 'on a security key',
});

const whereOf = ({ transports }: Passkey): string =>
  transports.map((each) => PLACES[each]).find((place) => place !== undefined) ?? 'a passkey';

/** What needs a fresh sign-in says so, and leads to one. */
function needsSignIn(problem: Problem | null): boolean {
  return problem?.code === 'SIGN_IN_AGAIN';
}

function SignInAgain() {
  return (
    <Notice kind="warning" title="Sign in again first">
      <p>Your sign-in is too long ago for a change of how you sign in.</p>
      <Button onClick={() => goToSignIn({ fresh: true })}>Sign in again</Button>
    </Notice>
  );
}

export function WaysIn({
  account,
  again,
}: {
  readonly account: Account;
  readonly again: () => Promise<void>;
}) {
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [isStale, setStale] = useState(false);
  const link = useAction(() => ask<EnrollmentLink>(PATHS.enrollmentLink, { method: 'POST' }));
  const add = async (): Promise<void> => {
    const made = await link.run(undefined);
    if (made !== null) location.assign(made.enrollUrl);
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>How you sign in</h2>
        <Button small busy={link.isBusy} onClick={() => void add()}>
          <Icon name="plus" />
          Add or change
        </Button>
      </div>
      {isStale || needsSignIn(link.problem) ? (
        <SignInAgain />
      ) : link.problem === null ? null : (
        <ProblemNotice problem={link.problem} />
      )}
      <ul class="ways">
        {account.passkeys.map((passkey) => (
          <li key={passkey.passkeyId}>
            <Icon name="key" />
            <span>
              Passkey, {whereOf(passkey)}
              <span class="hint block">since {dateTime(passkey.createdAt)}</span>
            </span>
            <Button
              small
              kind="danger"
              aria-label={`Remove the passkey of ${dateTime(passkey.createdAt)}`}
              onClick={() => setRemoving(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
        <li>
          <Icon name="person" />
          <span>
            Password{account.hasPassword ? '' : ': none'}
            <span class="hint block">
              {account.hasPassword ? 'with a one-time code' : 'add one to sign in without a passkey'}
            </span>
          </span>
        </li>
        <li>
          <Icon name="clock" />
          <span>
            One-time code{account.hasOneTimeCode ? '' : ': none'}
            <span class="hint block">
              {account.hasOneTimeCode
                ? 'from your authenticator app'
                : account.hasPassword
                  ? 'add one to sign in with your password'
                  : 'comes with a password'}
            </span>
          </span>
        </li>
      </ul>
      {removing === null ? null : (
        <ConfirmDialog
          title="Remove this passkey?"
          action="Remove"
          onConfirm={async () => {
            const outcome = await ask<Deleted>(passkeyPath(removing.passkeyId), { method: 'DELETE' });
            if (!outcome.ok && needsSignIn(outcome.problem)) {
              setStale(true);
              return null;
            }
            if (!outcome.ok) return outcome.problem;
            notify('The passkey is removed', 'success');
            await again();
            return null;
          }}
          onClose={() => setRemoving(null)}
        >
          <p>It no longer signs you in. Delete it on the device, too.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
