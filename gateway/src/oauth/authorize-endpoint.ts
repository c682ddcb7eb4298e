import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { answeringErrorPages, refuseMethodOnPage } from '../login/error-pages.ts';
import { cookieHeader } from '../login/interaction.ts';
import { sendStep } from '../login/send-step.ts';
import { optional, queryParameters } from '../http/form-parameters.ts';

/** GET /authorize: sends the browser to the login page, back to the client, or shows what is wrong. */
export function authorizeEndpoint(oauth: GatewayClients['oauth'], wrongTokens: WrongTries): Endpoint {
  const handle = async (exchange: Exchange): Promise<void> => {
    const query = queryParameters(exchange);
    const request = {
      ...optional('responseType', query.get('response_type')),
      ...optional('clientId', query.get('client_id')),
      ...optional('redirectUri', query.get('redirect_uri')),
      ...optional('scope', query.get('scope')),
      ...optional('state', query.get('state')),
      ...optional('codeChallenge', query.get('code_challenge')),
      ...optional('codeChallengeMethod', query.get('code_challenge_method')),
      ...optional('prompt', query.get('prompt')),
      ...optional('responseMode', query.get('response_mode')),
      resource: query.all('resource'),
      cookieHeader: cookieHeader(exchange),
    };
    const begin = () => answered(oauth.beginAuthorization(request, onBehalfOf(exchange, null)));
    const step = await wrongTokens.attempt(exchange, begin, { result: ({ next }) => next.case === 'error' });
    sendStep(exchange, step);
  };
  return {
    method: 'get',
    path: '/authorize',
    handle: answeringErrorPages(handle),
    refuseMethod: refuseMethodOnPage,
  };
}
