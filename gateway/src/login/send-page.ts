import type { Exchange } from '../http/exchange.ts';
import { documentOf, type Page } from './document.ts';

/** An origin as it may stand in a policy; anything else could add directives. */
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?$/;

/**
 * `form-action` names the client's origin, since Chromium applies it to the redirect that follows the form, too. An IPv6
 * host has no notation in CSP; its scheme stands for it.
 */
function formActions(formTarget: string | undefined): string {
  if (formTarget === undefined) return "'self'";
  if (ORIGIN.test(formTarget)) return `'self' ${formTarget}`;
  return formTarget.startsWith('https://[') ? "'self' https:" : "'self'";
}

export function pagePolicy(formTarget?: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `form-action ${formActions(formTarget)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * To be called for every response of a sign-in, redirects too. A client may have opened the sign-in in a window and
 * wait for its result: an opener policy would cut the two apart.
 */
function keepOpener({ response }: Exchange): void {
  response.removeHeader('cross-origin-opener-policy');
}

export function sendPage(exchange: Exchange, status: number, page: Page): void {
  const { response } = exchange;
  keepOpener(exchange);
  response.status(status);
  response.setHeader('content-security-policy', pagePolicy(page.formTarget));
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(documentOf(page).text);
}

/** Sends the browser on by GET (RFC 9110, section 15.4.4). */
export function sendRedirect(exchange: Exchange, url: string, setCookies: readonly string[] = []): void {
  const { response } = exchange;
  keepOpener(exchange);
  if (setCookies.length > 0) response.setHeader('set-cookie', [...setCookies]);
  response.status(303).setHeader('location', url);
  response.end();
}
