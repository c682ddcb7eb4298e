import type { ApiClient } from '../clients/client.ts';
import type { PrincipalStore } from '../store/principals.ts';
import { mcpScopesAmong } from './scopes.ts';
import type { McpScope } from './scopes.ts';

/** API clients are told from OAuth clients by their IDs (see `newClientId`). */
export const isApiClientId = (clientId: string): boolean => clientId.startsWith('cli_');

/** What oidc-provider carries along of an API client, beside the standard metadata. */
export interface ApiClientGrant {
  readonly tenantId: string;
  readonly generation: number;
  readonly scopes: readonly McpScope[];
}

/**
 * An API client as OAuth client metadata, null for an unknown or disabled one. `client_secret` is the stored hash:
 * secrets are compared by `compareClientSecret`, which is ours.
 */
export async function apiClientMetadata(
  clients: PrincipalStore<ApiClient>,
  clientId: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const client = await clients.get(clientId);
  if (client === null || client.status !== 'active') {
    await clients.equalizeTiming(clientId);
    return null;
  }
  const { tenantId, generation } = client;
  const grant: ApiClientGrant = { tenantId, generation, scopes: mcpScopesAmong(client.scopes) };
  return {
    client_id: client.clientId,
    client_secret: client.secretHash,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    api_client: grant,
  };
}
