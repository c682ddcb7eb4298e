import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { assetEndpoints } from './assets.ts';
import { refuseMethodOnPage } from './error-pages.ts';
import { authorizeEndpoint } from './authorize.ts';
import { enrollEndpoints } from './enroll.ts';
import { loginEndpoints } from './login.ts';

/** Everything that a person's browser is sent to: /authorize and the hosted pages. */
export function hostedPageEndpoints({
  oauth,
  login,
}: Pick<GatewayClients, 'oauth' | 'login'>): readonly Endpoint[] {
  return [
    authorizeEndpoint(oauth),
    ...loginEndpoints(login),
    ...enrollEndpoints(login),
    ...assetEndpoints(),
  ].map((endpoint) => ({ ...endpoint, refuseMethod: refuseMethodOnPage }));
}
