import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { assetEndpoints } from './assets.ts';
import { refuseMethodOnPage } from './error-pages.ts';
import { enrollEndpoints } from './enroll.ts';
import { loginEndpoints } from './login.ts';

/** The hosted pages: sign-in, consent and enrollment. GET /authorize sends browsers here. */
export function hostedPageEndpoints(
  { login }: Pick<GatewayClients, 'login'>,
  wrongTokens: WrongTries,
): readonly Endpoint[] {
  return [...loginEndpoints(login), ...enrollEndpoints(login, wrongTokens), ...assetEndpoints()].map(
    (endpoint) => ({ ...endpoint, refuseMethod: refuseMethodOnPage }),
  );
}
