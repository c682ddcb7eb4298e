import { parseForeignJson } from '@penstock/common/json/foreign-json.ts';
import { z } from 'zod';
import { CLIENT_METADATA } from '../limits.ts';
import type { Throttles } from '../throttling/throttles.ts';
import { readRegistration } from './client-metadata.ts';
import { failureOf, oauthFailure, tooManyTries } from './failure.ts';
import type { OAuthFailure } from './failure.ts';
import { routes } from './provider/configuration.ts';
import type { ProviderCall } from './provider/inject.ts';
import { MCP_SCOPES } from './scopes.ts';

export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly clientJson: string }
  | { readonly kind: 'error'; readonly failure: OAuthFailure };

/** What is shown of a client (RFC 7591, section 3.2.1); oidc-provider adds fields of OpenID Connect. */
const shownSchema = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.string(),
  client_uri: z.string().optional(),
  logo_uri: z.string().optional(),
  tos_uri: z.string().optional(),
  policy_uri: z.string().optional(),
});

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

const refused = (failure: OAuthFailure): RegistrationOutcome => ({ kind: 'error', failure });

/** POST /register. Any client may ask for any MCP scope, whatever it registers; the answer says so. */
export async function registerClient(
  options: { call: ProviderCall; throttles: Throttles },
  request: { metadataJson: string; remoteAddress: string },
): Promise<RegistrationOutcome> {
  if (Buffer.byteLength(request.metadataJson) > CLIENT_METADATA.bodyBytesMax) {
    const description = `The client metadata is larger than ${CLIENT_METADATA.bodyBytesMax} bytes`;
    return refused(oauthFailure('invalid_client_metadata', description));
  }
  const read = readRegistration(parsed(request.metadataJson));
  if ('problem' in read) return refused(oauthFailure('invalid_client_metadata', read.problem));
  const waitS = await options.throttles.registrations.take(request.remoteAddress);
  if (waitS !== null) return refused(tooManyTries(waitS));
  const response = await options.call({ method: 'POST', path: routes.registration, json: read.metadata });
  if (response.status !== 201) return refused(failureOf(response, undefined));
  const shown = shownSchema.parse(response.body);
  return { kind: 'registered', clientJson: JSON.stringify({ ...shown, scope: MCP_SCOPES.join(' ') }) };
}
