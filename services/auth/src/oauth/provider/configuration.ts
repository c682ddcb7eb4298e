/**
 * How oidc-provider is set up, and why: each setting here differs from a default that would break the contract. Rules
 * that have no setting are in `create-provider.ts`.
 */
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Configuration } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { CONSOLE_CLIENT_ID } from '../../console/console-client.ts';
import { newOAuthClientId } from '../../ids.ts';
import {
  AUTHORIZATION_CODE_LIFETIME_S,
  BROWSER_SESSION_LIFETIME_S,
  GRANT_LIFETIME_S,
  INTERACTION_LIFETIME_S,
  MCP_ACCESS_TOKEN_LIFETIME_S,
  MCP_REFRESH_TOKEN_LIFETIME_S,
  METADATA_DOCUMENT,
} from '../../limits.ts';
import type { Accounts } from '../accounts.ts';
import type { DocumentFetch } from '../metadata-documents/fetch-document.ts';
import { MCP_SCOPES } from '../scopes.ts';
import { createAdapter } from './adapter.ts';
import type { AdapterOptions } from './adapter.ts';
import { apiClientGrantOf } from './client-credentials.ts';
import { loginPageUrl } from './login-page.ts';

export interface ProviderOptions extends AdapterOptions {
  readonly accounts: Accounts;
  readonly fetchDocument: DocumentFetch;
  /** PENSTOCK_MCP_URL: the issuer. */
  readonly mcpUrl: string;
  /** What tokens are for: `{mcp_url}/mcp`. */
  readonly resource: string;
}

/** Cookies of oidc-provider never reach a browser (see `browser/`), so they have no attributes and no signatures. */
export const internalCookies = Object.freeze({
  session: 'session',
  interaction: 'interaction',
  resume: 'resume',
});

/** Paths inside the process; the gateway's are its own affair. */
export const routes = Object.freeze({
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
});

/** Seconds from now to `lifetimeS` after `startS`, at least one. */
const remaining = (clock: Clock, startS: number | undefined, lifetimeS: number): number => {
  const nowS = Math.floor(clock.now() / 1000);
  return Math.max(1, (startS ?? nowS) + lifetimeS - nowS);
};

export function providerConfiguration(options: ProviderOptions, signingKey: object): Configuration {
  const { accounts, clock, fetchDocument, mcpUrl, resource } = options;
  return {
    adapter: createAdapter(options),
    // Never used: there are no ID tokens, and access tokens are opaque. The library wants one.
    jwks: { keys: [signingKey] },
    routes: { ...routes },
    cookies: {
      names: { ...internalCookies },
      long: { signed: false },
      short: { signed: false },
    },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: { properties: ['api_client'], validator: () => undefined },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: MCP_ACCESS_TOKEN_LIFETIME_S,
      ClientCredentials: MCP_ACCESS_TOKEN_LIFETIME_S,
      AuthorizationCode: AUTHORIZATION_CODE_LIFETIME_S,
      // An absolute end, counted from the sign-in: rotations do not extend it.
      RefreshToken: (_ctx, token) => remaining(clock, token.authTime, MCP_REFRESH_TOKEN_LIFETIME_S),
      Session: (_ctx, session) => remaining(clock, session.loginTs, BROWSER_SESSION_LIFETIME_S),
      Interaction: INTERACTION_LIFETIME_S,
      Grant: GRANT_LIFETIME_S,
    },
    rotateRefreshToken: true,
    // The console has sessions of its own.
    issueRefreshToken: async (_ctx, client) => client.clientId !== CONSOLE_CLIENT_ID,
    // A replayed code or refresh token ends the grant, and with it every token of its family.
    revokeGrantPolicy: () => true,
    // Signing in again, or out, leaves earlier tokens alone.
    expiresWithSession: async () => false,
    // Each consent is a grant of its own: asking again must not touch what was granted before.
    async loadExistingGrant(ctx) {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    async findAccount(_ctx, accountId) {
      const user = await accounts.activeUser(accountId);
      if (user === null) return undefined;
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    async extraTokenClaims(ctx, token) {
      if (token.kind !== 'ClientCredentials' || ctx.oidc.client === undefined) return undefined;
      return { generation: apiClientGrantOf(ctx.oidc.client).generation };
    },
    interactions: { url: (_ctx, interaction) => loginPageUrl(mcpUrl, interaction.uid) },
    // As JSON, whatever the browser accepts; the gateway has the page.
    async renderError(ctx, out) {
      ctx.type = 'json';
      ctx.body = out;
    },
    fetch: (url: string | URL) => fetchDocument(String(url)),
    fetchResponseBodyLimits: { 'client_id metadata document': METADATA_DOCUMENT.bytesMax * 2 },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      claimsParameter: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      requestObjects: { enabled: false },
      clientCredentials: { enabled: true },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: newOAuthClientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: METADATA_DOCUMENT.cacheS,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        async getResourceServerInfo(_ctx, indicator) {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            scope: MCP_SCOPES.join(' '),
            audience: resource,
            // A JWT would outlive the revocation that a replayed code must cause.
            accessTokenFormat: 'opaque',
            accessTokenTTL: MCP_ACCESS_TOKEN_LIFETIME_S,
          };
        },
      },
    },
  } as Configuration;
}
