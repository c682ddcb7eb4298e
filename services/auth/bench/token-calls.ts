import { Agent, request as send } from 'node:http';

const TIMEOUT_MS = 30_000;

/** Sends client_credentials requests one after the other on kept connections. Throws unless a token comes back. */
export function tokenCaller(
  mcpUrl: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): () => Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const body = new URLSearchParams({ grant_type: 'client_credentials' }).toString();
  const headers = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const url = `${mcpUrl.replace('localhost', '127.0.0.1')}/token`;
  return () =>
    new Promise((resolve, reject) => {
      const sent = send(url, { method: 'POST', headers, agent, timeout: TIMEOUT_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode !== 200) reject(new Error(`no token: ${response.statusCode} ${text}`));
          else resolve((JSON.parse(text) as { access_token: string }).access_token);
        });
      });
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('the token did not come in time')));
      sent.end(body);
    });
}
