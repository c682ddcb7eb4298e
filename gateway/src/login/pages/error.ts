import type { Page } from '../document.ts';
import { html } from '../html.ts';

/** Why the sign-in cannot go on. */
export function errorPage(problem: {
  readonly message: string;
  /** OAuth's own word for it, for whoever wrote the client. */
  readonly code?: string;
  readonly requestId: string;
}): Page {
  const codeRow = html`<div>
    <dt>Error</dt>
    <dd><code>${problem.code ?? ''}</code></dd>
  </div>`;
  return {
    title: 'Sign-in cannot continue',
    body: html`<h1>Sign-in cannot continue</h1>
      <p class="notice problem" role="alert">${problem.message}</p>
      <p>Go back to the application and start again.</p>
      <dl class="facts small">
        ${problem.code === undefined ? null : codeRow}
        <div>
          <dt>Request</dt>
          <dd><code>${problem.requestId}</code></dd>
        </div>
      </dl>`,
  };
}
