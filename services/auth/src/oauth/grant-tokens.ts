import type { Throttles } from '../throttling/throttles.ts';
import { callAuthenticated, clientFields, setAll } from './authenticated-call.ts';
import type { ClientAuthentication } from './authenticated-call.ts';
import { failureOf, oauthFailure } from './failure.ts';
import type { OAuthFailure } from './failure.ts';
import { routes } from './provider/configuration.ts';
import type { ProviderCall } from './provider/inject.ts';
import { requestedScopes } from './scopes.ts';
import { z } from 'zod';

export type TokenGrant =
  | {
      readonly kind: 'authorization_code';
      readonly code?: string | undefined;
      readonly redirectUri?: string | undefined;
      readonly codeVerifier?: string | undefined;
    }
  | { readonly kind: 'refresh_token'; readonly refreshToken?: string | undefined }
  | { readonly kind: 'client_credentials' }
  | { readonly kind: 'other'; readonly grantType: string };

/** The form of POST /token. */
export interface TokenRequest {
  readonly client: ClientAuthentication;
  /** Null: the form has no grant_type. */
  readonly grant: TokenGrant | null;
  readonly scope?: string | undefined;
  readonly resource: readonly string[];
  readonly remoteAddress: string;
}

interface GrantedTokens {
  readonly accessToken: string;
  readonly tokenType: string;
  readonly expiresIn: number;
  readonly scope: string;
  readonly refreshToken?: string;
}

export type TokenOutcome =
  | { readonly kind: 'granted'; readonly tokens: GrantedTokens }
  | { readonly kind: 'error'; readonly failure: OAuthFailure };

const grantedSchema = z.object({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.number(),
  scope: z.string(),
  refresh_token: z.string().optional(),
});

function grantFields(grant: TokenGrant | null): Record<string, string | undefined> {
  switch (grant?.kind) {
    case undefined:
      return {};
    case 'authorization_code':
      return {
        grant_type: grant.kind,
        code: grant.code,
        redirect_uri: grant.redirectUri,
        code_verifier: grant.codeVerifier,
      };
    case 'refresh_token':
      return { grant_type: grant.kind, refresh_token: grant.refreshToken };
    case 'client_credentials':
      return { grant_type: grant.kind };
    case 'other':
      return { grant_type: grant.grantType };
  }
}

function formOf({ client, grant, scope, resource }: TokenRequest): URLSearchParams {
  const form = new URLSearchParams();
  setAll(form, {
    ...clientFields(client),
    ...grantFields(grant),
    scope: requestedScopes(scope).join(' '),
  });
  for (const each of resource) if (each !== '') form.append('resource', each);
  return form;
}

/** A verifier of the wrong form is answered like a wrong verifier: invalid_grant, not invalid_request. */
function verifierFailure(request: TokenRequest, failure: OAuthFailure): OAuthFailure {
  const { grant } = request;
  if (grant?.kind !== 'authorization_code') return failure;
  const isForm = failure.error === 'invalid_request' && failure.errorDescription.startsWith('code_verifier ');
  return isForm ? oauthFailure('invalid_grant', failure.errorDescription) : failure;
}

/** POST /token. */
export async function exchangeToken(
  options: { call: ProviderCall; throttles: Throttles },
  request: TokenRequest,
): Promise<TokenOutcome> {
  const { client, grant, remoteAddress } = request;
  if (grant?.kind === 'authorization_code' && (grant.codeVerifier ?? '') === '') {
    const failure = oauthFailure('invalid_request', "missing required parameter 'code_verifier'");
    return { kind: 'error', failure };
  }
  const called = await callAuthenticated(options, {
    client,
    path: routes.token,
    form: formOf(request),
    remoteAddress,
  });
  if ('refused' in called) return { kind: 'error', failure: called.refused };
  const { response } = called;
  if (response.status !== 200) {
    const failure = verifierFailure(request, failureOf(response, client.clientId));
    return { kind: 'error', failure };
  }
  const granted = grantedSchema.parse(response.body);
  return {
    kind: 'granted',
    tokens: {
      accessToken: granted.access_token,
      tokenType: granted.token_type,
      expiresIn: granted.expires_in,
      scope: granted.scope,
      ...(granted.refresh_token === undefined ? {} : { refreshToken: granted.refresh_token }),
    },
  };
}
