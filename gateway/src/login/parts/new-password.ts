import { html, type Html } from '../html.ts';
import type { ShownProblem } from '../shown-problem.ts';
import { PROBLEM_ID, problemNotice } from './problem.ts';

/** Who chooses a password, and whether there is one that may stay. */
export interface NewPassword {
  readonly email: string;
  readonly optional: boolean;
}

/** As auth refuses shorter and longer ones; a browser counts UTF-16 units, so that auth has the last word. */
const CHARACTERS_MIN = 12;

/**
 * A new password, typed twice: without an address to send a link to, a slip of the finger would lock its owner out.
 * The address stands in a hidden field for the browser's store of passwords.
 */
export function newPasswordFields({ email, optional }: NewPassword, problem: ShownProblem | null): Html {
  const field = (name: 'password' | 'repeated', label: string): Html => {
    const wrong =
      problem?.fields === 'new-password' || (problem?.fields === 'repeated-password' && name === 'repeated');
    const described = [...(name === 'password' ? ['password-hint'] : []), ...(wrong ? [PROBLEM_ID] : [])];
    return html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        type="password"
        autocomplete="new-password"
        minlength="${CHARACTERS_MIN}"
        maxlength="1024"
        ${described.length === 0 ? null : html`aria-describedby="${described.join(' ')}"`}
        ${wrong ? html`aria-invalid="true"` : null}
        ${wrong && name === 'password' ? html`autofocus` : null}
        ${wrong && problem?.fields === 'repeated-password' ? html`autofocus` : null}
        ${optional ? null : html`required`}
      />
      ${name === 'password' ? html`<p class="hint" id="password-hint">At least ${CHARACTERS_MIN} characters.</p>` : null}
    </div>`;
  };
  const isHere = problem?.fields === 'new-password' || problem?.fields === 'repeated-password';
  return html`<li>
    ${
      optional
        ? 'Choose a new password, or leave both fields empty to keep the one you have.'
        : 'Choose a password.'
    }
    <div class="fields">
      ${isHere ? problemNotice(problem) : null}
      <input type="email" autocomplete="username" value="${email}" readonly hidden />
      ${field('password', optional ? 'New password' : 'Password')}
      ${field('repeated', 'The same password again')}
    </div>
  </li>`;
}
