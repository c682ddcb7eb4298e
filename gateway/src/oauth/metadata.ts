import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { sendJsonChunks } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { METADATA_MAX_AGE_S } from './limits.ts';
import { answeringOAuthErrors } from '../http/oauth-errors.ts';

/** Where the documents are: at the root, and with the path of `{mcp_url}/mcp` inserted (RFC 9728, section 3.1). */
export const METADATA_PATHS = Object.freeze({
  protectedResource: ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
  authorizationServer: [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
  ],
});

/** Both metadata documents, as auth words them. */
export function metadataEndpoints(oauth: GatewayClients['oauth']): readonly Endpoint[] {
  const serve =
    (document: 'protectedResourceJson' | 'authorizationServerJson') =>
    async (exchange: Exchange): Promise<void> => {
      const metadata = await answered(oauth.getMetadata({}, onBehalfOf(exchange, null)));
      exchange.response.setHeader('cache-control', `public, max-age=${METADATA_MAX_AGE_S}`);
      sendJsonChunks(exchange.response, 200, [Buffer.from(metadata[document])]);
    };
  const at = (paths: readonly string[], handle: Endpoint['handle']): Endpoint[] =>
    paths.map((path) => ({ method: 'get', path, handle: answeringOAuthErrors(handle) }));
  return [
    ...at(METADATA_PATHS.protectedResource, serve('protectedResourceJson')),
    ...at(METADATA_PATHS.authorizationServer, serve('authorizationServerJson')),
  ];
}
