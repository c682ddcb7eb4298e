import { expect } from 'chai';
import { authorizationServerMetadata, protectedResourceMetadata } from '../../src/oauth/metadata.ts';

describe('OAuth metadata', () => {
  const mcpUrl = 'https://mcp.example.com';

  it('of the authorization server has the fields of the contract and no others', () => {
    expect(authorizationServerMetadata(mcpUrl)).to.deep.equal({
      issuer: mcpUrl,
      authorization_endpoint: `${mcpUrl}/authorize`,
      token_endpoint: `${mcpUrl}/token`,
      registration_endpoint: `${mcpUrl}/register`,
      revocation_endpoint: `${mcpUrl}/revoke`,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      scopes_supported: ['query', 'schemas:read'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('of the protected resource has the fields of the contract and no others', () => {
    expect(protectedResourceMetadata(mcpUrl)).to.deep.equal({
      resource: `${mcpUrl}/mcp`,
      authorization_servers: [mcpUrl],
      bearer_methods_supported: ['header'],
      scopes_supported: ['query', 'schemas:read'],
    });
  });
});
