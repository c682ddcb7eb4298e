import { MCP_SCOPES } from './scopes.ts';

/** The audience of MCP tokens. */
export const resourceOf = (mcpUrl: string): string => `${mcpUrl}/mcp`;

/** RFC 8414: the contract's fields, and the two that clients need to send revocations and to check `iss` (RFC 9207). */
export function authorizationServerMetadata(mcpUrl: string): Readonly<Record<string, unknown>> {
  const authMethods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer: mcpUrl,
    authorization_endpoint: `${mcpUrl}/authorize`,
    token_endpoint: `${mcpUrl}/token`,
    registration_endpoint: `${mcpUrl}/register`,
    revocation_endpoint: `${mcpUrl}/revoke`,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    scopes_supported: [...MCP_SCOPES],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/** RFC 9728. */
export function protectedResourceMetadata(mcpUrl: string): Readonly<Record<string, unknown>> {
  return {
    resource: resourceOf(mcpUrl),
    authorization_servers: [mcpUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: [...MCP_SCOPES],
  };
}
