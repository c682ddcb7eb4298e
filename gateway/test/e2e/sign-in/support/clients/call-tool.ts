import { http } from '../../../support/http.ts';
import { TOOL } from './client.ts';

/** A tool call by hand, for libraries that know OAuth and not MCP. @throws Error unless it succeeds */
export async function callToolWith(mcpUrl: string, accessToken: string): Promise<void> {
  const answer = await http<{ result?: { isError?: boolean } }>('POST', `${mcpUrl}/mcp`, {
    token: accessToken,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: TOOL, arguments: {} } },
  });
  const body =
    answer.body ?? (JSON.parse(/^data: (.*)$/m.exec(answer.text)?.[1] ?? '{}') as typeof answer.body);
  if (answer.status === 200 && body.result !== undefined && body.result.isError !== true) return;
  throw new Error(`${TOOL} failed: ${answer.status} ${answer.text}`);
}
