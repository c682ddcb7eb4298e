import type { EventEmitter } from 'node:events';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import type { ApiClient } from '../../clients/client.ts';
import { CONSOLE_CLIENT_ID } from '../../console/console-client.ts';
import type { PrincipalStore } from '../../store/principals.ts';
import { secretMatches } from '../../tokens/secret.ts';
import type { ApiClientGrant } from '../api-clients.ts';
import { redirectUriAllowed } from '../redirect-uris.ts';
import { clientCredentialsGrant } from './client-credentials.ts';
import { providerConfiguration } from './configuration.ts';
import type { ProviderOptions } from './configuration.ts';
import { createProviderCall } from './inject.ts';
import type { ProviderCall } from './inject.ts';

/** What of the library's client class is ours; its types do not have it, since it is not meant to be set. */
interface ClientClass {
  readonly prototype: {
    compareClientSecret: (secret: string) => Promise<boolean>;
    redirectUriAllowed: (uri: string) => boolean;
  };
  readonly Schema: { readonly prototype: { redirectUris: () => void } };
}

interface ClientFields {
  readonly clientId: string;
  readonly api_client?: ApiClientGrant;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/**
 * Three rules of the library's that the contract has otherwise: secrets are compared with their hash; redirect URIs match
 * on any port of 127.0.0.1 and localhost only, the console's on none but its own; and which ones a client may have was
 * decided before it got here (`redirectUriProblem`: https always, http on those two hosts).
 */
function setRules(client: ClientClass, apiClients: PrincipalStore<ApiClient>): void {
  client.prototype.compareClientSecret = async function (this: ClientFields, secret) {
    const matches = secretMatches(secret, this.clientSecret);
    if (!matches) await apiClients.equalizeTiming(this.clientId);
    else if (this.api_client !== undefined) apiClients.remember(this.clientId, this.api_client.tenantId);
    return matches;
  };
  client.prototype.redirectUriAllowed = function (this: ClientFields, uri) {
    if (this.clientId === CONSOLE_CLIENT_ID) return this.redirectUris.includes(uri);
    return redirectUriAllowed(uri, this.redirectUris);
  };
  client.Schema.prototype.redirectUris = () => undefined;
}

export interface OAuthProvider {
  readonly provider: Provider;
  readonly call: ProviderCall;
}

/** oidc-provider in this process. It keeps nothing in memory but clients it has parsed before. */
export async function createOAuthProvider(options: ProviderOptions, logger: Logger): Promise<OAuthProvider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'ES256' };
  const provider = new Provider(options.mcpUrl, providerConfiguration(options, signingKey));
  provider.proxy = true;
  setRules(provider.Client as unknown as ClientClass, options.apiClients);
  provider.registerGrantType(
    'client_credentials',
    clientCredentialsGrant(provider, options.resource),
    ['scope', 'resource'],
    ['resource'],
  );
  // Koa prints errors that nobody listens to.
  const log = (error: unknown): void => logger.error({ err: error }, 'the authorization server failed');
  const events: EventEmitter = provider;
  events.on('error', log);
  events.on('server_error', (_ctx: unknown, error: unknown) => log(error));
  return { provider, call: createProviderCall(provider.callback(), options.mcpUrl) };
}
