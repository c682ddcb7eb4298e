import * as oauth from 'oauth4webapi';
import { callToolWith } from './call-tool.ts';
import { CLIENT_NAME, type Agent, type AgentOptions, type AgentTokens } from './client.ts';

/** The stack speaks plain http on this computer, which the library refuses otherwise. */
const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** Finds the authorization server by the resource's own metadata (RFC 9728), and its endpoints (RFC 8414). */
async function discoverServer(resource: URL): Promise<oauth.AuthorizationServer> {
  const described = await oauth.resourceDiscoveryRequest(resource, insecure);
  const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(
    resource,
    described,
  );
  const issuer = new URL(servers?.[0] ?? '');
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  return oauth.processDiscoveryResponse(issuer, discovered);
}

async function identify(server: oauth.AuthorizationServer, options: AgentOptions): Promise<oauth.Client> {
  const { identity, redirectUrl } = options;
  if (identity.kind === 'known') return { client_id: identity.clientId };
  if (identity.kind === 'metadata-document') return { client_id: identity.url };
  const metadata = {
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
  return oauth.processDynamicClientRegistrationResponse(answer);
}

const held = (answer: oauth.TokenEndpointResponse): AgentTokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
});

/** `oauth4webapi`: every step of OAuth by itself, checked strictly. */
export function oauth4webapiClient(options: AgentOptions): Agent {
  const { mcpUrl, redirectUrl } = options;
  const resource = new URL(`${mcpUrl}/mcp`);
  let known: { server: oauth.AuthorizationServer; client: oauth.Client } | null = null;
  let tokens: AgentTokens | null = null;
  const current = (): AgentTokens => {
    if (tokens === null) throw new Error('the client has no tokens');
    return tokens;
  };
  return {
    async connect(browse) {
      const server = await discoverServer(resource);
      const client = await identify(server, options);
      known = { server, client };
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUrl,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource: resource.href,
      }).toString();
      const parameters = oauth.validateAuthResponse(server, client, await browse(url), state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUrl,
        verifier,
        insecure,
      );
      tokens = held(await oauth.processAuthorizationCodeResponse(server, client, answer));
    },
    callTool: () => callToolWith(mcpUrl, current().accessToken),
    async refresh() {
      if (known === null) throw new Error('not connected');
      const { server, client } = known;
      const refreshToken = current().refreshToken ?? '';
      const answer = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        insecure,
      );
      tokens = held(await oauth.processRefreshTokenResponse(server, client, answer));
    },
    tokens: current,
    close: async () => undefined,
  };
}

/** A token for the service's own use, by client_credentials. */
export async function clientCredentialsToken(
  mcpUrl: string,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  method: 'basic' | 'post',
): Promise<string> {
  const server = await discoverServer(new URL(`${mcpUrl}/mcp`));
  const client = { client_id: credentials.clientId };
  const authentication = method === 'basic' ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
  const answer = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    authentication(credentials.clientSecret),
    {},
    insecure,
  );
  return (await oauth.processClientCredentialsResponse(server, client, answer)).access_token;
}
