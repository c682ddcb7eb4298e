import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TOOL, type Agent, type AgentOptions } from './client.ts';
import { memoryProvider } from './memory-provider.ts';

/** `@modelcontextprotocol/sdk`, v1. */
export function sdkV1(options: AgentOptions): Agent {
  const provider = memoryProvider(options);
  const url = new URL(`${options.mcpUrl}/mcp`);
  let client: Client | null = null;
  const connectOnce = async (): Promise<StreamableHTTPClientTransport> => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    client = new Client({ name: 'test', version: '1' });
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
    return transport;
  };
  const callTool = async (): Promise<void> => {
    if (client === null) throw new Error('not connected');
    const { isError } = await client.callTool({ name: TOOL, arguments: {} });
    if (isError === true) throw new Error(`${TOOL} failed`);
  };
  return {
    async connect(browse) {
      const first = await connectOnce();
      const code = (await browse(provider.askedUrl())).searchParams.get('code') ?? '';
      await first.finishAuth(code);
      await connectOnce();
    },
    callTool,
    async refresh() {
      provider.expire();
      await callTool();
    },
    tokens: () => provider.held(),
    close: async () => client?.close(),
  };
}
