import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer that sends each request to the next gateway, whoever it is from. */
interface Balancer {
  readonly port: number;
  /** Ports on 127.0.0.1, in turn. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly number[] = [];
  let turn = 0;
  const server = createServer((request, response) => {
    const port = targets[turn++ % targets.length];
    const { method, url, headers } = request;
    const onward = forward(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    use: (ports) => (targets = ports),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
