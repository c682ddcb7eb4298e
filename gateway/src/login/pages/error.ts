import type { Page } from '../document.ts';
import { html } from '../html.ts';

/** OAuth's codes in words for the user. Auth's own words stand below, for whoever wrote the client. */
const EXPLANATIONS: Readonly<Record<string, string>> = Object.freeze({
  invalid_client: 'Penstock does not know this application. It may have to register again.',
  invalid_client_metadata: 'The description that this application gives of itself cannot be used.',
  invalid_request: 'The application sent a request that Penstock cannot accept.',
  temporarily_unavailable: 'Too many requests at the moment. Try again shortly.',
});

/** Says why the sign-in cannot go on. A message without a code says what to do. */
export function errorPage(problem: {
  readonly message: string;
  /** OAuth's own word for it, for whoever wrote the client. */
  readonly code?: string;
  readonly requestId: string;
}): Page {
  const explanation = EXPLANATIONS[problem.code ?? ''];
  const detailRow = html`<div>
    <dt>Error</dt>
    <dd><code>${problem.code ?? ''}</code>: ${problem.message}</dd>
  </div>`;
  return {
    title: 'Sign-in cannot continue',
    body: html`<h1>Sign-in cannot continue</h1>
      <p class="notice problem" role="alert">${explanation ?? problem.message}</p>
      ${problem.code === undefined ? null : html`<p>Go back to the application and start again.</p>`}
      <dl class="facts small">
        ${problem.code === undefined ? null : detailRow}
        <div>
          <dt>Request</dt>
          <dd><code>${problem.requestId}</code></dd>
        </div>
      </dl>`,
  };
}
