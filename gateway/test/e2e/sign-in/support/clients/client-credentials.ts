import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { ClientCredentialsProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { callToolWith } from './call-tool.ts';
import { TOOL } from './client.ts';
import { clientCredentialsToken } from './oauth4webapi.ts';

interface ApiCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Calls a tool as an API client, without a person: each throws unless that succeeds. */
export const WITHOUT_A_PERSON: Readonly<
  Record<string, (mcpUrl: string, credentials: ApiCredentials) => Promise<void>>
> = Object.freeze({
  'client v2': async (mcpUrl: string, credentials: ApiCredentials) => {
    const authProvider = new ClientCredentialsProvider({ ...credentials, expectedIssuer: mcpUrl });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${mcpUrl}/mcp`), { authProvider }));
    const { isError } = await client.callTool({ name: TOOL, arguments: {} });
    await client.close();
    if (isError) throw new Error(`${TOOL} failed`);
  },
  'sdk v1': async (mcpUrl: string, credentials: ApiCredentials) => {
    const authProvider = new OldProvider({ ...credentials, expectedIssuer: mcpUrl });
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(new URL(`${mcpUrl}/mcp`), { authProvider }));
    const { isError } = await client.callTool({ name: TOOL, arguments: {} });
    await client.close();
    if (isError === true) throw new Error(`${TOOL} failed`);
  },
  'oauth4webapi, client_secret_basic': async (mcpUrl: string, credentials: ApiCredentials) =>
    callToolWith(mcpUrl, await clientCredentialsToken(mcpUrl, credentials, 'basic')),
  'oauth4webapi, client_secret_post': async (mcpUrl: string, credentials: ApiCredentials) =>
    callToolWith(mcpUrl, await clientCredentialsToken(mcpUrl, credentials, 'post')),
});
