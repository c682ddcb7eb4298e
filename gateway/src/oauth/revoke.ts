import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { clientAuthentication } from './client-authentication.ts';
import { answeringOAuthErrors, sendOAuthProblem } from '../http/oauth-errors.ts';
import { formParameters, optional } from '../http/form-parameters.ts';

/** POST /revoke (RFC 7009): 200 without a body, for an unknown token too. */
export function revokeEndpoint(oauth: GatewayClients['oauth'], wrongTokens: WrongTries): Endpoint {
  const handle = async (exchange: Exchange): Promise<void> => {
    const form = await formParameters(exchange);
    const request = {
      client: clientAuthentication(exchange, form),
      ...optional('token', form.get('token')),
      ...optional('tokenTypeHint', form.get('token_type_hint')),
      remoteAddress: exchange.request.ip ?? '',
    };
    const revoke = () => answered(oauth.revokeToken(request, onBehalfOf(exchange, null)));
    const { error } = await wrongTokens.attempt(exchange, revoke, {
      result: (revoked) => revoked.error !== undefined,
    });
    if (error === undefined) exchange.response.status(200).end();
    else sendOAuthProblem(exchange, error);
  };
  return { method: 'post', path: '/revoke', handle: answeringOAuthErrors(handle) };
}
