import type { MessageInitShape } from '@bufbuild/protobuf';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ExchangeTokenRequestSchema, ExchangeTokenResponse } from '../clients/oauth-messages.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { sendJson } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { clientAuthentication } from './client-authentication.ts';
import { answeringOAuthErrors, sendOAuthProblem } from '../http/oauth-errors.ts';
import { formParameters, optional, type Parameters } from '../http/form-parameters.ts';

type Grant = NonNullable<
  Exclude<MessageInitShape<typeof ExchangeTokenRequestSchema>, { $typeName: string }>['grant']
>;

function grantOf(form: Parameters): Grant {
  const grantType = form.get('grant_type');
  switch (grantType) {
    case undefined:
      return { case: undefined };
    case 'authorization_code':
      return {
        case: 'authorizationCode',
        value: {
          ...optional('code', form.get('code')),
          ...optional('redirectUri', form.get('redirect_uri')),
          ...optional('codeVerifier', form.get('code_verifier')),
        },
      };
    case 'refresh_token':
      return { case: 'refreshToken', value: optional('refreshToken', form.get('refresh_token')) };
    case 'client_credentials':
      return { case: 'clientCredentials', value: {} };
    default:
      return { case: 'otherGrantType', value: grantType };
  }
}

/** Whether the grant is found by a code or token. Auth itself counts wrong client secrets. */
const isLookedUp = ({ case: grant }: Grant): boolean =>
  grant === 'authorizationCode' || grant === 'refreshToken';

const isUnknown = ({ result }: ExchangeTokenResponse): boolean =>
  result.case === 'error' && ['invalid_grant', 'invalid_client'].includes(result.value.error);

/** POST /token: the three grants of the contract. */
export function tokenEndpoint(oauth: GatewayClients['oauth'], wrongTokens: WrongTries): Endpoint {
  const handle = async (exchange: Exchange): Promise<void> => {
    const form = await formParameters(exchange);
    const request = {
      client: clientAuthentication(exchange, form),
      grant: grantOf(form),
      ...optional('scope', form.get('scope')),
      resource: form.all('resource'),
      remoteAddress: exchange.request.ip ?? '',
    };
    const exchangeToken = () => answered(oauth.exchangeToken(request, onBehalfOf(exchange, null)));
    const { result } = await (isLookedUp(request.grant)
      ? wrongTokens.attempt(exchange, exchangeToken, { result: isUnknown })
      : exchangeToken());
    if (result.case === 'error') return sendOAuthProblem(exchange, result.value);
    if (result.case !== 'granted') throw new PenstockError('INTERNAL', 'auth answered neither way');
    const granted = result.value;
    sendJson(exchange.response, 200, {
      access_token: granted.accessToken,
      token_type: granted.tokenType,
      expires_in: granted.expiresIn,
      scope: granted.scope,
      ...optional('refresh_token', granted.refreshToken),
    });
  };
  return { method: 'post', path: '/token', handle: answeringOAuthErrors(handle) };
}
