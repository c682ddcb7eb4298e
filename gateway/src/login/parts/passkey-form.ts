import { html, type Html } from '../html.ts';
import type { FormTarget } from './form-target.ts';
import { hiddenFields } from './hidden-fields.ts';

/**
 * A button that uses or creates a passkey. Hidden until the script finds that the browser can (assets/passkey.js); the
 * script asks for the options, fills `response`, and sends the form as any other.
 */
export function passkeyForm(
  target: FormTarget,
  form: { readonly ceremony: 'get' | 'create'; readonly label: string; readonly primary: boolean },
): Html {
  return html`<form
      class="passkey"
      method="post"
      action="${target.action}"
      data-passkey="${form.ceremony}"
      data-options="${target.passkeyOptions}"
      hidden
    >
      ${hiddenFields({ ...target.fields, step: 'passkey', response: '' })}
      <p class="notice problem" role="alert" data-passkey-problem hidden></p>
      <button type="submit" class="${form.primary ? 'primary' : 'secondary'}">
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
          <g
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
            stroke-linejoin="round"
          >
            <circle cx="8" cy="8" r="5" />
            <path d="m11.5 11.5 9 9m-4-4 2.5-2.5" />
          </g>
        </svg>
        ${form.label}
      </button>
    </form>
    <p class="hint passkey-unavailable" data-passkey-unavailable>
      Passkeys need JavaScript and a browser that supports them.
    </p>`;
}
