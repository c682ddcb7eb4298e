import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Ports are taken from here, below those that systems give to outgoing connections: such a connection could take a port
 * between our look at it and its server's start, or while its server is being started again. Above 10080, the highest
 * that `fetch` refuses to ask (fetch.spec.whatwg.org/#port-blocking): a service there would never be seen healthy.
 */
const PORT_MIN = 10_081;
const PORT_MAX = 32_000;

/** Ports that are free now; two calls never give the same one while both are held, so all are asked for at once. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenSomewhere));
  const ports = servers.map((server) => server.port);
  await Promise.all(servers.map((server) => server.close()));
  return ports;
}

/** Any port will do where none of many was free. */
async function listenSomewhere(): Promise<Listening> {
  for (let tries = 0; tries < 100; tries++) {
    const server = await listen(randomInt(PORT_MIN, PORT_MAX)).catch(() => null);
    if (server !== null) return server;
  }
  return listen(0);
}

/** A stack that was killed leaves its processes to the watchdog, which needs a moment. */
const TAKEN_PATIENCE_MS = 8_000;

/**
 * The port itself, or a free one for 0.
 * @throws Error saying which setting to change when the port stays taken
 */
export async function claimPort(port: number, setting: string): Promise<number> {
  if (port === 0) return (await freePorts(1))[0]!;
  const deadline = Date.now() + TAKEN_PATIENCE_MS;
  for (;;) {
    try {
      await (await listen(port)).close();
      return port;
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(`port ${port} is taken: stop what listens there, or set ${setting} to another port`, {
          cause: error,
        });
      }
      await delay(100);
    }
  }
}

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

function listen(port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
      resolve({
        port: address.port,
        close: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}
