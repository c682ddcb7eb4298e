import { html, type Html } from '../html.ts';
import { PROBLEM_ID } from './problem.ts';

/** A field for the six digits of an authenticator app. */
export function codeField(field: {
  readonly hint: string | null;
  readonly required: boolean;
  readonly wrong: boolean;
  readonly focus: boolean;
}): Html {
  const described = [...(field.hint === null ? [] : ['code-hint']), ...(field.wrong ? [PROBLEM_ID] : [])];
  return html`<div class="field">
    <label for="code">One-time code</label>
    <input
      id="code"
      name="code"
      type="text"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[0-9 ]*"
      maxlength="16"
      spellcheck="false"
      class="code"
      ${described.length === 0 ? null : html`aria-describedby="${described.join(' ')}"`}
      ${field.wrong ? html`aria-invalid="true"` : null}
      ${field.required ? html`required` : null}
      ${field.focus ? html`autofocus` : null}
    />
    ${field.hint === null ? null : html`<p class="hint" id="code-hint">${field.hint}</p>`}
  </div>`;
}
