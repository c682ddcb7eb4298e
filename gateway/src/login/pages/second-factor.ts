import type { RequestingClient, SecondFactorPage, TotpEnrollment } from '../../clients/oauth-messages.ts';
import type { Page } from '../document.ts';
import { html } from '../html.ts';
import { cancelForm } from '../parts/cancel-form.ts';
import type { FormTarget } from '../parts/form-target.ts';
import { passkeyForm } from '../parts/passkey-form.ts';
import { problemNotice } from '../parts/problem.ts';
import type { ShownProblem } from '../shown-problem.ts';
import { totpForm } from '../parts/totp-form.ts';

/** Shown when the password was right and the user has no second factor yet. */
export function secondFactorPage(
  client: RequestingClient,
  { email }: SecondFactorPage,
  target: FormTarget,
  totp: TotpEnrollment,
  problem: ShownProblem | null,
): Page {
  return {
    title: 'Secure your account',
    formTarget: client.redirectOrigin,
    body: html`<h1>Secure your account</h1>
      <p class="lead">
        A password alone is not enough. Add a passkey or an authenticator app to <bdi>${email}</bdi>.
      </p>
      ${problem?.fields === 'code' ? null : problemNotice(problem)}
      <h2>Authenticator app</h2>
      ${totpForm(target, totp, problem)}
      <p class="or"><span>or</span></p>
      <h2>Passkey</h2>
      <p>Your fingerprint, face, device PIN or a security key. No codes to type.</p>
      ${passkeyForm(target, { ceremony: 'create', label: 'Create a passkey', primary: false })}
      ${cancelForm(target)}`,
  };
}
