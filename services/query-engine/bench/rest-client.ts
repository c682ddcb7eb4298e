/** POST /v1/query on connections that are kept. */
import { Agent, request as send } from 'node:http';

const TIMEOUT_MS = 300_000;

export interface QueryAnswer {
  readonly data: readonly (readonly unknown[])[];
  readonly planTime: number;
  readonly execTime: number;
  readonly readUnits: number;
  readonly weight?: number;
  readonly plan?: string;
}

export interface RestClient {
  readonly baseUrl: string;
  readonly token: string;
  /** Throws unless the query succeeds. */
  query(sql: string, options?: object, mode?: 'execute' | 'plan'): Promise<QueryAnswer>;
}

export function createRestClient(baseUrl: string, token: string): RestClient {
  const agent = new Agent({ keepAlive: true });
  const url = `${baseUrl.replace('localhost', '127.0.0.1')}/v1/query`;
  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${token}`,
      };
      const sent = send(url, { method: 'POST', headers, agent, timeout: TIMEOUT_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('the query was not answered in time')));
      sent.end(body);
    });
  return {
    baseUrl,
    token,
    async query(sql, options = {}, mode = 'execute') {
      const timed = { timeoutMs: TIMEOUT_MS, ...options };
      const text = await post(JSON.stringify({ sql, mode, options: timed }));
      const answer = JSON.parse(text) as { success: boolean; data: QueryAnswer };
      if (!answer.success) throw new Error(`the query failed: ${text}`);
      return answer.data;
    },
  };
}
