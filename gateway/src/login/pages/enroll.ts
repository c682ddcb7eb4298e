import type { Enrollment, TotpEnrollment } from '../../clients/oauth-messages.ts';
import type { Page } from '../document.ts';
import { html } from '../html.ts';
import type { FormTarget } from '../parts/form-target.ts';
import { passkeyForm } from '../parts/passkey-form.ts';
import { problemNotice } from '../parts/problem.ts';
import type { ShownProblem } from '../shown-problem.ts';
import { totpForm } from '../parts/totp-form.ts';

/** The page that an administrator's link opens. Without `totp` it offers a passkey only. */
export function enrollPage(
  { email }: Enrollment,
  target: FormTarget,
  totp: TotpEnrollment | null,
  problem: ShownProblem | null,
): Page {
  const authenticator = (enrollment: TotpEnrollment) =>
    html`<p class="or"><span>or</span></p>
      <details class="section" ${problem?.inFields ? html`open` : null}>
        <summary>Use an authenticator app</summary>
        <p class="hint">It replaces an authenticator app that you had before.</p>
        ${totpForm(target, enrollment, problem)}
      </details>`;
  return {
    title: 'Set up your sign-in',
    body: html`<h1>Set up your sign-in</h1>
      <p class="lead">for <bdi>${email}</bdi></p>
      ${problem?.inFields ? null : problemNotice(problem)}
      <h2>Passkey</h2>
      <p>
        Sign in with your fingerprint, face, device PIN or a security key. No password and no codes to type.
      </p>
      ${passkeyForm(target, { ceremony: 'create', label: 'Create a passkey', primary: true })}
      ${totp === null ? null : authenticator(totp)}`,
  };
}
