import { Agent, request as httpRequest, validateHeaderValue } from 'node:http';

/** One request of the fuzz, as it goes out. */
export interface FuzzRequest {
  readonly method: string;
  /** From the first slash, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface FuzzAnswer {
  /** 0 where the connection ended before there was an answer. */
  readonly status: number;
  readonly text: string;
  readonly elapsedMs: number;
}

/** Longer than any statement may take. */
const PATIENCE_MS = 90_000;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Bytes that stand for the text in a header: clients can send UTF-8 there, and Node.js takes one byte a character. */
const headerText = (value: string): string => Buffer.from(value).toString('latin1');

/** The headers, without those that no client can send. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = headerText(value);
      try {
        validateHeaderValue(name, text);
        return [[name, text]];
      } catch {
        return [];
      }
    }),
  );
}

/** Sends a request and reads its answer; never rejects. */
export function send(base: URL, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string): void =>
      resolve({ status, text, elapsedMs: performance.now() - started });
    const call = httpRequest(
      {
        host: base.hostname,
        port: base.port,
        agent,
        method,
        path,
        headers: sendable(headers),
        timeout: PATIENCE_MS,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () => end(answer.statusCode ?? 0, Buffer.concat(chunks).toString()));
        answer.once('error', (error) => end(0, String(error)));
      },
    );
    call.once('timeout', () => call.destroy(new Error('no answer')));
    call.once('error', (error) => end(0, String(error)));
    call.end(body);
  });
}
