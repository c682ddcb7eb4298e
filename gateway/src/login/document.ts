import { html, type Html } from './html.ts';

export interface Page {
  /** The title of the tab. */
  readonly title: string;
  readonly body: Html;
  /**
   * Another origin that a form of the page may lead to. Browsers check the redirect after a form, too (CSP
   * `form-action`).
   */
  readonly formTarget?: string;
}

const logo = html`<svg
  class="logo"
  viewBox="0 0 24 24"
  width="28"
  height="28"
  aria-hidden="true"
  focusable="false"
>
  <rect x="1" y="1" width="22" height="22" rx="6" fill="currentColor" />
  <path
    d="M7 6v12M12 6v7a3 3 0 0 0 5 2"
    fill="none"
    stroke="#fff"
    stroke-width="2.2"
    stroke-linecap="round"
  />
</svg>`;

/** A whole document, without inline styles or scripts, which the pages' CSP refuses. */
export function documentOf({ title, body }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – Penstock</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="/login/assets/pages.css" />
        <link rel="icon" href="data:," />
        <script src="/login/assets/passkey.js" defer></script>
        <script src="/login/assets/submit-once.js" defer></script>
      </head>
      <body>
        <header class="brand">${logo}<span>Penstock</span></header>
        <main class="card">${body}</main>
        <footer>Read-only SQL for your own DynamoDB tables</footer>
      </body>
    </html>`;
}
