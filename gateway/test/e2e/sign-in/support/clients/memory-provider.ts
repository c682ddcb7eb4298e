import { randomUUID } from 'node:crypto';
import { CLIENT_NAME, type AgentOptions, type AgentTokens } from './client.ts';

interface StoredTokens {
  access_token: string;
  token_type: string;
  refresh_token?: string | undefined;
}

/** What both official SDKs ask of a client that signs its user in, kept in memory. */
export function memoryProvider({ mcpUrl, redirectUrl, identity }: AgentOptions) {
  const state = randomUUID();
  let information: { client_id: string; issuer?: string } | undefined =
    identity.kind === 'known' ? { client_id: identity.clientId, issuer: mcpUrl } : undefined;
  let tokens: StoredTokens | undefined;
  let verifier = '';
  let authorizationUrl: URL | undefined;
  let discovered: unknown;
  return {
    redirectUrl,
    ...(identity.kind === 'metadata-document' ? { clientMetadataUrl: identity.url } : {}),
    clientMetadata: {
      client_name: CLIENT_NAME,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => information,
    saveClientInformation: (given: { client_id: string }) => void (information = given),
    tokens: () => tokens,
    saveTokens: (given: StoredTokens) => void (tokens = given),
    redirectToAuthorization: (url: URL) => void (authorizationUrl = url),
    saveCodeVerifier: (given: string) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (given: unknown) => void (discovered = given),
    discoveryState: () => discovered as never,
    /** Where the user is to be sent. */
    askedUrl(): URL {
      if (authorizationUrl === undefined) throw new Error('the client asked for no authorization');
      return authorizationUrl;
    },
    held(): AgentTokens {
      if (tokens === undefined) throw new Error('the client has no tokens');
      return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
    },
    /** As if the access token had expired. */
    expire(): void {
      if (tokens !== undefined) tokens = { ...tokens, access_token: 'expired' };
    },
  };
}
