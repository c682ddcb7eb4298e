import type { Throttles } from '../throttling/throttles.ts';
import { callAuthenticated, clientFields, setAll } from './authenticated-call.ts';
import type { ClientAuthentication } from './authenticated-call.ts';
import { failureOf } from './failure.ts';
import type { OAuthFailure } from './failure.ts';
import { routes } from './provider/configuration.ts';
import type { ProviderCall } from './provider/inject.ts';

/** The form of POST /revoke (RFC 7009). */
export interface RevocationRequest {
  readonly client: ClientAuthentication;
  readonly token?: string | undefined;
  readonly tokenTypeHint?: string | undefined;
  readonly remoteAddress: string;
}

/** Ends a token and its family; null where that is done, or there was none of the client's to end. */
export async function revokeToken(
  options: { call: ProviderCall; throttles: Throttles },
  { client, token, tokenTypeHint, remoteAddress }: RevocationRequest,
): Promise<OAuthFailure | null> {
  const fields = { ...clientFields(client), token, token_type_hint: tokenTypeHint };
  const form = new URLSearchParams();
  setAll(form, fields);
  const called = await callAuthenticated(options, { client, path: routes.revocation, form, remoteAddress });
  if ('refused' in called) return called.refused;
  return called.response.status === 200 ? null : failureOf(called.response, client.clientId);
}
