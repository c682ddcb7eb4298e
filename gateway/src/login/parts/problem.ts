import { html, type Html } from '../html.ts';

/** The element that a wrong field points to by `aria-describedby`. */
export const PROBLEM_ID = 'problem';

/** Why the page is shown again; read out at once. */
export function problemNotice(message: string | undefined): Html | null {
  if (message === undefined) return null;
  return html`<p class="notice problem" id="${PROBLEM_ID}" role="alert">${message}</p>`;
}
