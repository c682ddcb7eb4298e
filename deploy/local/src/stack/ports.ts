import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A port that is free now; two calls never give the same one while both are held, so all are asked for at once. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => server.port);
  await Promise.all(servers.map((server) => server.close()));
  return ports;
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
