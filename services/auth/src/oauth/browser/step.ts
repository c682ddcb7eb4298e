import { contractCode, failureOf } from '../failure.ts';
import type { OAuthFailure } from '../failure.ts';
import { internalCookies } from '../provider/configuration.ts';
import type { ProviderResponse } from '../provider/inject.ts';
import { interactionOf } from '../provider/login-page.ts';
import type { BrowserCookies } from './cookies.ts';

/** Where a browser goes next, and the Set-Cookie values that go with it. */
export interface AuthorizationStep {
  readonly setCookies: readonly string[];
  readonly next:
    | { readonly kind: 'redirect'; readonly url: string }
    | { readonly kind: 'error'; readonly failure: OAuthFailure };
}

/** What the authorization endpoint answered, for a browser. */
export function toStep(
  options: { cookies: BrowserCookies; mcpUrl: string },
  response: ProviderResponse,
  clientId: string | undefined,
): AuthorizationStep {
  const { cookies, mcpUrl } = options;
  const sessionId = response.cookies[internalCookies.session] ?? '';
  const setCookies = sessionId === '' ? [] : [cookies.setSession(sessionId)];
  if (response.location === null) {
    const failure = failureOf(response, clientId);
    // There is no client to answer, so the browser gets the contract's words for what the request lacks.
    const wrongRedirect = failure.error === 'invalid_client_metadata' && isRedirectMismatch(response.body);
    const shown = wrongRedirect ? { ...failure, error: 'invalid_request' } : failure;
    return { setCookies, next: { kind: 'error', failure: shown } };
  }
  const interactionId = interactionOf(mcpUrl, response.location);
  if (interactionId !== null) setCookies.push(cookies.setInteraction(interactionId));
  return { setCookies, next: { kind: 'redirect', url: inContractsWords(response.location) } };
}

/** An error that the client is told in the redirect. */
function inContractsWords(location: string): string {
  const url = new URL(location);
  const error = url.searchParams.get('error');
  if (error === null || contractCode(error) === error) return location;
  url.searchParams.set('error', contractCode(error));
  return url.href;
}

function isRedirectMismatch(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_redirect_uri'
  );
}
