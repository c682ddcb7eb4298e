import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { REQUEST_ID_HEADER } from '@penstock/common/rpc/headers.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  RESPONSE_CHECK_MS,
} from '../limits.ts';

/** How often a draining server looks for idle connections to close. */
const IDLE_CHECK_MS = 100;

export interface HttpServer {
  readonly port: number;
  /** Takes no new connection, lets requests in flight finish, ends what is left after the time. */
  close(timeoutMs: number): Promise<void>;
}

const STATUS_OF_PARSE_ERROR: Readonly<Record<string, number>> = Object.freeze({
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
});

/** Bytes that are not HTTP never reach the app. They are answered here, in the same envelope and with a request ID. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_PARSE_ERROR[error.code ?? ''] ?? 400;
  const requestId = uuidV7();
  const message = 'The request is not readable as HTTP';
  const body = JSON.stringify({ success: false, error: { message, code: 'VALIDATION_ERROR', requestId } });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

async function drain(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const late = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

export async function startHttpServer(
  options: { readonly host: string; readonly port: number },
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: RESPONSE_CHECK_MS,
    },
    listener,
  );
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return Object.freeze({
    port: (server.address() as AddressInfo).port,
    close: (timeoutMs: number) => drain(server, timeoutMs),
  });
}
