import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { WrongTries } from '../limiting/wrong-tries.ts';
import { assetEndpoints } from './assets.ts';
import { refuseMethodOnPage } from './error-pages.ts';
import { authorizeEndpoint } from './authorize.ts';
import { enrollEndpoints } from './enroll.ts';
import { loginEndpoints } from './login.ts';

/** Everything that a person's browser is sent to: /authorize and the hosted pages. */
export function hostedPageEndpoints(
  { oauth, login }: Pick<GatewayClients, 'oauth' | 'login'>,
  wrongTokens: WrongTries,
): readonly Endpoint[] {
  return [
    authorizeEndpoint(oauth, wrongTokens),
    ...loginEndpoints(login),
    ...enrollEndpoints(login, wrongTokens),
    ...assetEndpoints(),
  ].map((endpoint) => ({ ...endpoint, refuseMethod: refuseMethodOnPage }));
}
