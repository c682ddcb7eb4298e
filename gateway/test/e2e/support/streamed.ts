/** Responses as they come, with what fetch hides: trailers, and whether the end was one. */
import { request as httpRequest, type IncomingMessage } from 'node:http';

export interface Streamed {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: IncomingMessage['trailers'];
  readonly body: Buffer;
  /** False where the connection was cut. */
  readonly isWhole: boolean;
}

/** `onBody`: told how many bytes have arrived, and may pause the response or end it. */
export function streamed(
  url: string,
  json: unknown,
  headers: Readonly<Record<string, string>>,
  onBody?: (response: IncomingMessage, bytes: number) => void,
): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          onBody?.(response, (bytes += chunk.length));
        });
        response.on('error', () => undefined);
        // Both where it ended and where it was cut.
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            trailers: response.trailers,
            body: Buffer.concat(chunks),
            isWhole: response.complete,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(json));
  });
}
