import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
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

/** Who says to be there (RFC 6749, section 2.3.1): the user of HTTP Basic, or the form's. */
function claimedId({ authorization, clientId }: ClientAuthentication): string | undefined {
  const [, credentials] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  return credentials === undefined ? clientId : Buffer.from(credentials, 'base64').toString().split(':')[0];
}

/**
 * Calls an endpoint that clients authenticate at. An answer of 401 counts as a wrong secret of its address; where that has
 * presented too many, wrong ones are refused and right ones go on.
 */
export async function callAuthenticated(
  options: { call: ProviderCall; throttles: Throttles },
  request: { client: ClientAuthentication; path: string; form: URLSearchParams; remoteAddress: string },
): Promise<{ readonly response: ProviderResponse } | { readonly refused: OAuthFailure }> {
  const { path, form, client, remoteAddress } = request;
  const call = (): Promise<ProviderResponse> =>
    options.call({ method: 'POST', path, form, authorization: client.authorization });
  if (!presentsSecret(client)) return { response: await call() };
  const who = claimedId(client);
  try {
    const response = await options.throttles.wrongSecrets.attempt({ request: { ip: remoteAddress } }, call, {
      result: ({ status }) => status === 401,
      ...(who !== undefined && { who }),
    });
    return { response };
  } catch (error) {
    if (error instanceof PenstockError && error.code === 'RATE_LIMITED')
      return { refused: tooManyTries(error.retryAfterS ?? 1) };
    throw error;
  }
}
