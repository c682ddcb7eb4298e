import { html, type Html } from '../html.ts';
import type { ShownProblem } from '../shown-problem.ts';

/** The element that a wrong field points to by `aria-describedby`. */
export const PROBLEM_ID = 'problem';

/** Why the page is shown again; read out at once. */
export function problemNotice(problem: ShownProblem | null): Html | null {
  if (problem === null) return null;
  return html`<p class="notice problem" id="${PROBLEM_ID}" role="alert">${problem.message}</p>`;
}
