import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilSome } from '../../../../../services/common/test/support/until.ts';

/** Where a client on this computer waits for its user to come back (RFC 8252, section 7.3). */
export interface Callback {
  readonly url: string;
  /** The next URL that the browser comes back with. */
  arrival(): Promise<URL>;
  close(): Promise<void>;
}

export async function listenForCallback(): Promise<Callback> {
  const arrived: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Back in the client</title>Back in the client');
    if (url.pathname === '/callback') arrived.push(url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    arrival: () => untilSome(() => arrived.shift(), { what: 'the browser came back to the client' }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
