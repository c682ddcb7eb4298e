import * as client from 'openid-client';
import { callToolWith } from './call-tool.ts';
import { CLIENT_NAME, type Agent, type AgentOptions, type AgentTokens } from './client.ts';

/** Plain http on this computer, and the metadata of OAuth instead of OpenID Connect's. */
const settings = (): client.DiscoveryRequestOptions => ({
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
});

function configure({ mcpUrl, redirectUrl, identity }: AgentOptions): Promise<client.Configuration> {
  const issuer = new URL(mcpUrl);
  const fields = { token_endpoint_auth_method: 'none' };
  if (identity.kind !== 'registers-itself') {
    const clientId = identity.kind === 'known' ? identity.clientId : identity.url;
    return client.discovery(issuer, clientId, fields, client.None(), settings());
  }
  const metadata = {
    ...fields,
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  return client.dynamicClientRegistration(issuer, metadata, client.None(), settings());
}

/** `openid-client`, as an OAuth client. */
export function openidClient(options: AgentOptions): Agent {
  const { mcpUrl, redirectUrl } = options;
  let configuration: client.Configuration | null = null;
  let tokens: AgentTokens | null = null;
  const current = (): AgentTokens => {
    if (tokens === null) throw new Error('the client has no tokens');
    return tokens;
  };
  const hold = (answer: client.TokenEndpointResponse): void => {
    tokens = { accessToken: answer.access_token, refreshToken: answer.refresh_token };
  };
  return {
    async connect(browse) {
      configuration = await configure(options);
      const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        resource: `${mcpUrl}/mcp`,
      });
      const arrived = await browse(url);
      hold(await client.authorizationCodeGrant(configuration, arrived, { pkceCodeVerifier, expectedState }));
    },
    callTool: () => callToolWith(mcpUrl, current().accessToken),
    async refresh() {
      if (configuration === null) throw new Error('not connected');
      hold(await client.refreshTokenGrant(configuration, current().refreshToken ?? ''));
    },
    tokens: current,
    close: async () => undefined,
  };
}
