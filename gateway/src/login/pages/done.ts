import type { Page } from '../document.ts';
import { html } from '../html.ts';

/** After an enrollment by link; `byCode`: of an authenticator app. */
export function donePage({ byCode }: { readonly byCode: boolean }): Page {
  return {
    title: 'All set',
    body: html`<h1>All set</h1>
      <p class="notice success" role="status">Your sign-in is set up. The link cannot be used again.</p>
      ${
        byCode
          ? html`<p>A code works once: sign in with the next one that your authenticator app shows.</p>`
          : null
      }
      <p>Go back to the application that you came from, or <a href="/console">open the console</a>.</p>`,
  };
}
