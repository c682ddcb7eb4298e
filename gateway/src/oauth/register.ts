import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { sendJsonChunks } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { REGISTRATION_BYTES_MAX } from './limits.ts';
import { answeringOAuthErrors, sendOAuthProblem } from '../http/oauth-errors.ts';
import { readBody } from '../http/read-body.ts';

/** POST /register (RFC 7591), for public clients. */
export function registerEndpoint(oauth: GatewayClients['oauth']): Endpoint {
  const handle = async (exchange: Exchange): Promise<void> => {
    const metadataJson = await readBody(exchange, 'application/json', REGISTRATION_BYTES_MAX);
    const request = { metadataJson, remoteAddress: exchange.request.ip ?? '' };
    const { result } = await answered(oauth.registerClient(request, onBehalfOf(exchange, null)));
    if (result.case === 'error') return sendOAuthProblem(exchange, result.value);
    if (result.case !== 'clientJson') throw new PenstockError('INTERNAL', 'auth answered neither way');
    sendJsonChunks(exchange.response, 201, [Buffer.from(result.value)]);
  };
  return {
    method: 'post',
    path: '/register',
    handle: answeringOAuthErrors(handle, 'invalid_client_metadata'),
  };
}
