import type { TotpEnrollment } from '../../clients/oauth-messages.ts';
import { html, type Html } from '../html.ts';
import { qrCode } from '../qr-code.ts';
import { codeField } from './code-field.ts';
import type { FormTarget } from './form-target.ts';
import { hiddenFields } from './hidden-fields.ts';
import { newPasswordFields, type NewPassword } from './new-password.ts';
import { problemNotice } from './problem.ts';
import type { ShownProblem } from '../shown-problem.ts';

/** In groups, as it is easier to type. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/**
 * A secret to scan or to type, and the first code that proves that it arrived; before them a password, where one can be
 * set. An error stands at its field: a phone would not show the field and the top of the page together.
 */
export function totpForm(
  target: FormTarget,
  totp: TotpEnrollment,
  problem: ShownProblem | null,
  password: NewPassword | null = null,
): Html {
  const wrong = problem?.fields === 'code';
  return html`<form method="post" action="${target.action}">
    ${hiddenFields({ ...target.fields, step: 'totp' })}
    <ol class="steps">
      ${password === null ? null : newPasswordFields(password, problem)}
      <li>
        Scan this with an authenticator app.
        <div
          class="qr"
          role="img"
          aria-label="QR code for an authenticator app; the key below can be typed instead"
        >
          ${qrCode(totp.otpauthUrl)}
        </div>
        <details>
          <summary>Can't scan it?</summary>
          <p class="hint">Open it on this device, or type this key into the app:</p>
          <p><code class="secret">${grouped(totp.secret)}</code></p>
          <p><a href="${totp.otpauthUrl}">Open in an authenticator app</a></p>
        </details>
      </li>
      <li>Enter the code that the app shows.</li>
    </ol>
    ${wrong ? problemNotice(problem) : null} ${codeField({ hint: null, required: true, wrong, focus: wrong })}
    <button type="submit" class="primary">Confirm code</button>
  </form>`;
}
