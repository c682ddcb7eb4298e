/** Tokens and clients for tests of /mcp: nothing of ours is on the client's side. */
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { ClientCredentialsProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http, type HttpAnswer, type HttpRequest } from '../../e2e/support/http.ts';
import type { Credentials } from '../../e2e/support/tenant.ts';

const TIMEOUT_MS = 20_000;

/** A token for MCP by client_credentials, as an agent gets it. */
export async function mcpToken(
  stack: RunningStack,
  { clientId, clientSecret }: Credentials,
  scope?: string,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await fetch(`${stack.mcpUrl}/token`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

export interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** What tests do with a client, whichever it is. */
export interface TestClient {
  /** Negotiated; undefined where the client does not tell. */
  readonly version: string | undefined;
  tools(): Promise<readonly string[]>;
  call(name: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer>;
  prompts(): Promise<readonly string[]>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

const textIn = (contents: readonly object[]): string =>
  contents.map((content) => ('text' in content ? String(content.text) : '')).join('');

const INFO = { name: 'test', version: '1' };

/** A client with this token; with credentials, it gets itself another where that one is not enough. */
type Connect = (url: URL, token: string, credentials?: Credentials) => Promise<TestClient>;

const bearing = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

const asGranted = (token: string) => ({ access_token: token, token_type: 'Bearer' });

async function newClient(
  mode: 'auto' | 'legacy' | { pin: string },
  ...[url, token, credentials]: Parameters<Connect>
): Promise<TestClient> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  if (credentials === undefined) {
    await client.connect(new StreamableHTTPClientTransport(url, bearing(token)));
  } else {
    const authProvider = new ClientCredentialsProvider({ ...credentials, expectedIssuer: url.origin });
    authProvider.saveTokens(asGranted(token));
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  }
  return {
    version: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given = {}, signal) =>
      client.callTool({ name, arguments: given }, signal === undefined ? {} : { signal }),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textIn((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

async function oldClient(...[url, token, credentials]: Parameters<Connect>): Promise<TestClient> {
  const client = new OldClient(INFO);
  let transport = new OldTransport(url, bearing(token));
  if (credentials !== undefined) {
    const authProvider = new OldProvider({ ...credentials, expectedIssuer: url.origin });
    authProvider.saveTokens(asGranted(token));
    transport = new OldTransport(url, { authProvider });
  }
  // Its own types are not made for exactOptionalPropertyTypes.
  await client.connect(transport);
  return {
    version: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given = {}, signal) =>
      client.callTool(
        { name, arguments: given },
        undefined,
        signal === undefined ? {} : { signal },
      ) as Promise<ToolAnswer>,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textIn((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

/** The official clients, by what they are. */
export const CLIENTS: Readonly<Record<string, Connect>> = Object.freeze({
  'client v2, auto': (...given: Parameters<Connect>) => newClient('auto', ...given),
  'client v2, pinned to 2026-07-28': (...given: Parameters<Connect>) =>
    newClient({ pin: '2026-07-28' }, ...given),
  'client v2, legacy': (...given: Parameters<Connect>) => newClient('legacy', ...given),
  'sdk v1': oldClient,
});

/** A message as a 2025 client sends it, by hand. */
export function post(
  stack: RunningStack,
  token: string | undefined,
  message: unknown,
  more: HttpRequest = {},
): Promise<HttpAnswer> {
  return http('POST', `${stack.mcpUrl}/mcp`, {
    token,
    json: message,
    ...more,
    headers: { accept: 'application/json, text/event-stream', ...more.headers },
  });
}

/** A call of a tool as JSON-RPC. */
export function toolCall(name: string, given: Record<string, unknown> = {}, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
}

export const textOf = ({ content }: ToolAnswer): string => content.map(({ text }) => text ?? '').join('\n');
