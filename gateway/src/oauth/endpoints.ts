import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { WrongTries } from '../limiting/wrong-tries.ts';
import { metadataEndpoints } from './metadata.ts';
import { refuseOAuthMethod } from './oauth-error.ts';
import { registerEndpoint } from './register.ts';
import { revokeEndpoint } from './revoke.ts';
import { tokenEndpoint } from './token.ts';

/** What clients of the authorization server call themselves; a browser is sent to login/. */
export function oauthEndpoints(oauth: GatewayClients['oauth'], wrongTokens: WrongTries): readonly Endpoint[] {
  return [
    ...metadataEndpoints(oauth),
    tokenEndpoint(oauth, wrongTokens),
    registerEndpoint(oauth),
    revokeEndpoint(oauth, wrongTokens),
  ].map((endpoint) => ({ ...endpoint, refuseMethod: refuseOAuthMethod }));
}
