import type { Enrollment, TotpEnrollment } from '../../clients/oauth-messages.ts';
import type { Page } from '../document.ts';
import { html } from '../html.ts';
import type { FormTarget } from '../parts/form-target.ts';
import { passkeyForm } from '../parts/passkey-form.ts';
import { problemNotice } from '../parts/problem.ts';
import type { ShownProblem } from '../shown-problem.ts';
import { totpForm } from '../parts/totp-form.ts';

/**
 * The page that an administrator's link opens: a passkey, or a password with an authenticator app. The script opens
 * what is folded where the browser has no passkeys. Without `totp` it offers a passkey only.
 */
export function enrollPage(
  { email, totpOffered: hasPassword, passwordSettable }: Enrollment,
  target: FormTarget,
  totp: TotpEnrollment | null,
  problem: ShownProblem | null,
): Page {
  const isInFields = problem !== null && problem.fields !== null;
  const password = passwordSettable ? { email, optional: hasPassword } : null;
  const withoutPasskey = (enrollment: TotpEnrollment) =>
    html`<p class="or"><span>or</span></p>
      <details class="section" data-without-passkey ${isInFields ? html`open` : null}>
        <summary>
          ${hasPassword ? 'Use an authenticator app' : 'Use a password and an authenticator app'}
        </summary>
        ${hasPassword ? html`<p class="hint">It replaces an authenticator app that you had before.</p>` : null}
        ${totpForm(target, enrollment, problem, password)}
      </details>`;
  return {
    title: 'Set up your sign-in',
    body: html`<h1>Set up your sign-in</h1>
      <p class="lead">for <bdi>${email}</bdi></p>
      ${isInFields ? null : problemNotice(problem)}
      <h2>Passkey</h2>
      <p>
        Sign in with your fingerprint, face, device PIN or a security key. No password and no codes to type.
      </p>
      ${passkeyForm(target, { ceremony: 'create', label: 'Create a passkey', primary: true })}
      ${totp === null ? null : withoutPasskey(totp)}`,
  };
}
