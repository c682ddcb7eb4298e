import { html, type Html } from '../html.ts';
import type { FormTarget } from './form-target.ts';
import { hiddenFields } from './hidden-fields.ts';

/** Back to the client without access. */
export function cancelForm(target: FormTarget): Html {
  return html`<form method="post" action="${target.action}" class="cancel">
    ${hiddenFields({ ...target.fields, step: 'decide', decision: 'deny' })}
    <button type="submit" class="quiet">Cancel</button>
  </form>`;
}
