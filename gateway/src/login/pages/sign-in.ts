import type { RequestingClient } from '../../clients/oauth-messages.ts';
import type { Page } from '../document.ts';
import { html } from '../html.ts';
import { cancelForm } from '../parts/cancel-form.ts';
import { codeField } from '../parts/code-field.ts';
import type { FormTarget } from '../parts/form-target.ts';
import { hiddenFields } from '../parts/hidden-fields.ts';
import { passkeyForm } from '../parts/passkey-form.ts';
import type { ShownProblem } from '../shown-problem.ts';
import { PROBLEM_ID, problemNotice } from '../parts/problem.ts';

/** Password and one-time code, or a passkey. */
export function signInPage(
  client: RequestingClient,
  target: FormTarget,
  again: { readonly email: string; readonly problem: ShownProblem | null },
): Page {
  const wrong = again.problem?.fields === 'credentials';
  const described = wrong ? html`aria-describedby="${PROBLEM_ID}" aria-invalid="true"` : null;
  return {
    title: 'Sign in',
    formTarget: client.redirectOrigin,
    body: html`<h1>Sign in</h1>
      <p class="lead">to continue to <bdi class="client">${client.name}</bdi></p>
      ${problemNotice(again.problem)}
      <form method="post" action="${target.action}">
        ${hiddenFields({ ...target.fields, step: 'password' })}
        <div class="field">
          <label for="email">E-mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            maxlength="320"
            required
            value="${again.email}"
            ${described}
            ${again.email === '' ? html`autofocus` : null}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="1024"
            required
            ${described}
            ${again.email === '' ? null : html`autofocus`}
          />
        </div>
        ${codeField({
          hint: 'From your authenticator app. Leave it empty if you have none yet.',
          required: false,
          wrong,
          focus: false,
        })}
        <button type="submit" class="primary">Sign in</button>
      </form>
      <p class="or"><span>or</span></p>
      ${passkeyForm(target, { ceremony: 'get', label: 'Sign in with a passkey', primary: false })}
      ${cancelForm(target)}`,
  };
}
