import type { Throttles } from '../throttling/throttles.ts';
import { tooManyTries } from './failure.ts';
import type { OAuthFailure } from './failure.ts';
import type { ProviderCall, ProviderResponse } from './provider/inject.ts';

/** How a client authenticates, as it was sent. oidc-provider decides what it means. */
export interface ClientAuthentication {
  /** The Authorization header. */
  readonly authorization?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** The form fields by which a client may authenticate itself. */
export function clientFields({
  clientId,
  clientSecret,
}: ClientAuthentication): Record<string, string | undefined> {
  return { client_id: clientId, client_secret: clientSecret };
}

/** Sets the fields that have a value: an empty one counts as left out (RFC 6749, sections 3.1 and 3.2). */
export function setAll(form: URLSearchParams, fields: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') form.set(name, value);
  }
}

/** A secret was presented, by whichever method. */
const presentsSecret = ({ authorization, clientSecret }: ClientAuthentication): boolean =>
  authorization !== undefined || (clientSecret ?? '') !== '';

/**
 * Calls an endpoint that clients authenticate at. Addresses that have presented too many wrong secrets are refused
 * first; an answer of 401 counts as one.
 */
export async function callAuthenticated(
  options: { call: ProviderCall; throttles: Throttles },
  request: { client: ClientAuthentication; path: string; form: URLSearchParams; remoteAddress: string },
): Promise<{ readonly response: ProviderResponse } | { readonly refused: OAuthFailure }> {
  const { wrongSecrets } = options.throttles;
  const counts = presentsSecret(request.client);
  const waitS = counts ? await wrongSecrets.peek(request.remoteAddress) : null;
  if (waitS !== null) return { refused: tooManyTries(waitS) };
  const { path, form, client } = request;
  const response = await options.call({ method: 'POST', path, form, authorization: client.authorization });
  if (counts && response.status === 401) await wrongSecrets.take(request.remoteAddress);
  return { response };
}
