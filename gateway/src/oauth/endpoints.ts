import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { authorizeEndpoint } from './authorize-endpoint.ts';
import { metadataEndpoints } from './metadata.ts';
import { refuseOAuthMethod } from '../http/oauth-errors.ts';
import { registerEndpoint } from './register.ts';
import { revokeEndpoint } from './revoke.ts';
import { tokenEndpoint } from './token.ts';

/** The authorization server: the endpoints that clients call themselves, and /authorize, which browsers open. */
export function oauthEndpoints(oauth: GatewayClients['oauth'], wrongTokens: WrongTries): readonly Endpoint[] {
  const calledByClients = [
    ...metadataEndpoints(oauth),
    tokenEndpoint(oauth, wrongTokens),
    registerEndpoint(oauth),
    revokeEndpoint(oauth, wrongTokens),
  ];
  return [
    authorizeEndpoint(oauth, wrongTokens),
    ...calledByClients.map((endpoint) => ({ ...endpoint, refuseMethod: refuseOAuthMethod })),
  ];
}
