import type { Logger } from '@penstock/common/logging/logger.ts';
import { CONSOLE_CLIENT_ID } from '../console/console-client.ts';
import { deriveKey } from '../keys/derive.ts';
import type { TenantStore } from '../store/tenants.ts';
import type { Throttles } from '../throttling/throttles.ts';
import type { RateLimit } from '../tenants/tenant.ts';
import type { TokenSigner } from '../tokens/sign.ts';
import type { Accounts } from './accounts.ts';
import { beginAuthorization } from './begin-authorization.ts';
import type { AuthorizationRequest } from './begin-authorization.ts';
import { createBrowserCookies } from './browser/cookies.ts';
import type { BrowserCookies } from './browser/cookies.ts';
import { createKnownBrowsers } from './browser/known-browsers.ts';
import type { KnownBrowsers } from './browser/known-browsers.ts';
import type { AuthorizationStep } from './browser/step.ts';
import { exchangeToken } from './grant-tokens.ts';
import type { TokenOutcome, TokenRequest } from './grant-tokens.ts';
import { oauthFailure } from './failure.ts';
import type { OAuthFailure } from './failure.ts';
import { authorizationServerMetadata, protectedResourceMetadata, resourceOf } from './metadata.ts';
import { createDocumentFetch } from './metadata-documents/fetch-document.ts';
import type { DocumentNetwork } from './metadata-documents/network.ts';
import type { AdapterOptions } from './provider/adapter.ts';
import { createOAuthProvider } from './provider/create-provider.ts';
import type { OAuthProvider } from './provider/create-provider.ts';
import { registerClient } from './register.ts';
import type { RegistrationOutcome } from './register.ts';
import { revokeToken } from './revoke.ts';
import type { RevocationRequest } from './revoke.ts';
import { verifyAccessToken } from './verify.ts';
import type { VerifiedToken } from './verify.ts';

/** The authorization server, one method for each endpoint that the gateway serves. */
export interface AuthorizationServer {
  readonly metadata: { readonly authorizationServerJson: string; readonly protectedResourceJson: string };
  register(request: { metadataJson: string; remoteAddress: string }): Promise<RegistrationOutcome>;
  begin(request: AuthorizationRequest): Promise<AuthorizationStep>;
  exchange(request: TokenRequest): Promise<TokenOutcome>;
  revoke(request: RevocationRequest): Promise<OAuthFailure | null>;
  /** Throws `UNAUTHORIZED`. */
  verify(accessToken: string): Promise<VerifiedToken>;
}

/** What the hosted pages and the console share with the endpoints. */
export interface AuthorizationServerParts extends OAuthProvider {
  /** POST /token for every client, the console too. */
  readonly exchange: (request: TokenRequest) => Promise<TokenOutcome>;
  readonly cookies: BrowserCookies;
  readonly knownBrowsers: KnownBrowsers;
  readonly mcpUrl: string;
  readonly resource: string;
}

interface AuthorizationServerOptions extends AdapterOptions {
  readonly accounts: Accounts;
  readonly tenants: TenantStore;
  readonly signer: TokenSigner;
  readonly rateLimit: RateLimit;
  readonly throttles: Throttles;
  readonly network: DocumentNetwork;
  /** The first signs cookies, all are taken. */
  readonly keyEncryptionKeys: readonly Uint8Array[];
  readonly mcpUrl: string;
  readonly logger: Logger;
}

export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<{ readonly server: AuthorizationServer; readonly parts: AuthorizationServerParts }> {
  const { throttles, network, mcpUrl, logger } = options;
  const resource = resourceOf(mcpUrl);
  const keys = options.keyEncryptionKeys.map((key) => deriveKey(key, 'browser cookies'));
  const cookies = createBrowserCookies({ keys, mcpUrl });
  const knownBrowsers = createKnownBrowsers({ keys, mcpUrl, clock: options.clock });
  const fetchDocument = createDocumentFetch({
    network,
    byHost: throttles.documentsByHost,
    clock: options.clock,
  });
  const oauth = await createOAuthProvider({ ...options, resource, fetchDocument }, logger);
  const metadata = {
    authorizationServerJson: JSON.stringify(authorizationServerMetadata(mcpUrl)),
    protectedResourceJson: JSON.stringify(protectedResourceMetadata(mcpUrl)),
  };
  const endpoint = { call: oauth.call, throttles };
  const exchange = (request: TokenRequest): Promise<TokenOutcome> => exchangeToken(endpoint, request);
  const parts = { ...oauth, exchange, cookies, knownBrowsers, mcpUrl, resource };
  return {
    parts,
    server: {
      metadata,
      register: (request) => registerClient(endpoint, request),
      begin: (request) => beginAuthorization({ ...parts, accounts: options.accounts }, request),
      exchange: async (request) =>
        request.client.clientId === CONSOLE_CLIENT_ID
          ? { kind: 'error', failure: oauthFailure('invalid_client', 'no such client', 401) }
          : exchange(request),
      revoke: (request) => revokeToken(endpoint, request),
      verify: (accessToken) =>
        verifyAccessToken({ ...options, apiClients: options.apiClients, resource }, accessToken),
    },
  };
}
