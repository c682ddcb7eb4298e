import { answered } from '../clients/service-call.ts';
import { sendJson } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { KEY_SET_MAX_AGE_S } from '../limits.ts';

interface MetaRouteOptions {
  /** The public keys as auth has them. */
  readonly fetchKeySet: () => Promise<object>;
  /** The OpenAPI document. */
  readonly document: object;
  readonly isReady: () => boolean;
}

function sendText({ response }: Exchange, status: number, text: string): void {
  response.status(status).type('text/plain').end(text);
}

/** Endpoints without authentication: the API's description, the keys that tokens are signed with, and probes. */
export function metaEndpoints({ fetchKeySet, document, isReady }: MetaRouteOptions): readonly Endpoint[] {
  const keySet = async (exchange: Exchange): Promise<void> => {
    const keys = await answered(fetchKeySet());
    exchange.response.setHeader('cache-control', `public, max-age=${KEY_SET_MAX_AGE_S}`);
    sendJson(exchange.response, 200, keys);
  };
  return [
    {
      method: 'get',
      path: '/v1/openapi.json',
      handle: async ({ response }) => sendJson(response, 200, document),
    },
    { method: 'get', path: '/.well-known/jwks.json', handle: keySet },
    { method: 'get', path: '/livez', handle: async (exchange) => sendText(exchange, 200, 'ok\n') },
    {
      method: 'get',
      path: '/readyz',
      handle: async (exchange) =>
        isReady() ? sendText(exchange, 200, 'ready\n') : sendText(exchange, 503, 'not ready\n'),
    },
  ];
}
