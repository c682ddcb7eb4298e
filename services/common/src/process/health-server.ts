import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

interface HealthServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly registry: Registry;
  readonly isReady: () => boolean;
  /** What is wrong with parts that the process needs, in sentences. /readyz shows it with either status. */
  readonly problems?: () => readonly string[];
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** `/livez`: the process runs. `/readyz`: it takes work, and what keeps it from some. `/metrics`: for Prometheus. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    switch (request.url?.split('?', 1)[0]) {
      case '/livez':
        return answer(response, 200, 'ok\n');
      case '/readyz':
        return answer(
          response,
          options.isReady() ? 200 : 503,
          [options.isReady() ? 'ready' : 'not ready', ...(options.problems?.() ?? []), ''].join('\n'),
        );
      case '/metrics':
        options.registry.metrics().then(
          (text) => answer(response, 200, text, options.registry.contentType),
          () => answer(response, 500, 'metrics could not be collected\n'),
        );
        return;
      default:
        return answer(response, 404, 'not found\n');
    }
  });
  const port = await listen(server, options.host, options.port);
  return Object.freeze({
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
