/** A collector for tests: takes OTLP over HTTP and keeps the spans. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeTraces, type ReceivedSpan } from './otlp-traces.ts';

export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Waits until the spans are what a test wants. @throws Error after the time */
  until(wanted: (spans: readonly ReceivedSpan[]) => boolean, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 50;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const isZipped = request.headers['content-encoding'] === 'gzip';
      if (request.url === '/v1/traces') spans.push(...decodeTraces(isZipped ? gunzipSync(body) : body));
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, {
        'content-type': 'application/x-protobuf',
      });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async until(wanted, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!wanted(spans)) {
        if (Date.now() > deadline)
          throw new Error(`only these spans came: ${spans.map(({ name }) => name).join(', ')}`);
        await sleep(POLL_MS);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
