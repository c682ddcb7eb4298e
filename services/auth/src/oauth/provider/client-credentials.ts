import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import { MCP_ACCESS_TOKEN_LIFETIME_S } from '../../limits.ts';
import { isApiClientId } from '../api-clients.ts';
import type { ApiClientGrant } from '../api-clients.ts';
import { mcpScopesAmong, requestedScopes } from '../scopes.ts';

/** What an authenticated API client may do. Throws for any other client: there is no principal behind it. */
export function apiClientGrantOf(client: { readonly clientId: string }): ApiClientGrant {
  const grant = (client as { readonly api_client?: ApiClientGrant }).api_client;
  if (grant === undefined || !isApiClientId(client.clientId)) {
    throw new errors.InvalidRequest('client_credentials is for API clients');
  }
  return grant;
}

/**
 * The client_credentials grant. oidc-provider's own drops scopes that it does not know or that are not allowed, where
 * the contract wants `invalid_scope`, and gives none where none was asked for, where the contract wants all.
 */
export function clientCredentialsGrant(provider: Provider, resource: string) {
  return async function grantClientCredentials(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, params } = ctx.oidc;
    if (client === undefined) throw new errors.InvalidRequest('no client was authenticated');
    const { scopes: allowed } = apiClientGrantOf(client);
    if (params?.['resource'] !== undefined && params['resource'] !== resource)
      throw new errors.InvalidTarget();
    const asked = requestedScopes(params?.['scope'] as string | undefined);
    const granted = asked.length === 0 ? mcpScopesAmong(allowed) : asked;
    const beyond = granted.filter((scope) => !allowed.includes(scope));
    if (granted.length === 0) throw new errors.InvalidScope('the client may have no MCP scope', '');
    if (beyond.length > 0) {
      throw new errors.InvalidScope('the client may not have a scope that it asked for', beyond.join(' '));
    }
    const token = new provider.ClientCredentials({ client, scope: granted.join(' ') });
    token.setAudience(resource);
    ctx.oidc.entity('ClientCredentials', token);
    ctx.body = {
      access_token: await token.save(),
      token_type: 'Bearer',
      expires_in: MCP_ACCESS_TOKEN_LIFETIME_S,
      scope: granted.join(' '),
    };
  };
}
