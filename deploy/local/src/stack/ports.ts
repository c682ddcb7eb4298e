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

/**
 * Ports that are free now, all different. On Linux no other process is handed them out, until this one ends or has been handed
 * out RESERVED_MAX others: so they are its own also before anything listens there.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  return claimPorts([], count);
}

/** A port that a setting asks for; 0 for any. */
interface WantedPort {
  readonly port: number;
  /** Named where the port is taken. */
  readonly setting: string;
  /** Where it is taken, any other will do. */
  readonly orAny?: boolean;
}

/**
 * The ports wanted, in order, then `more` free ones, all different: each is held until all are found, and those that were
 * chosen are reserved after that, as `freePorts` says.
 *
 * @throws Error saying which settings to change, all at once, when ports stay taken
 */
export async function claimPorts(wanted: readonly WantedPort[], more: number): Promise<readonly number[]> {
  const held: Listening[] = [];
  const keep = async (server: Promise<Listening>): Promise<number> => {
    held.push(await server);
    return (await server).port;
  };
  try {
    const given = new Map<WantedPort, number>();
    // Before any that is chosen, which could be one of them.
    const named = wanted.filter(({ port }) => port !== 0);
    const outcomes = await Promise.allSettled(
      named.map(async (one) => given.set(one, await keep(listenAt(one)))),
    );
    const refused = outcomes.flatMap((outcome): readonly unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    if (refused.length > 0) throw allOf(refused);
    const chosen = async (): Promise<number> => keep(listenSomewhere());
    return await Promise.all([
      ...wanted.map((one) => given.get(one) ?? chosen()),
      ...Array.from({ length: more }, chosen),
    ]);
  } finally {
    await Promise.all(held.map((server) => server.close()));
  }
}

/** One error for several ports, with the reasons of all. */
function allOf(reasons: readonly unknown[]): unknown {
  if (reasons.length === 1) return reasons[0];
  const lines = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  return new AggregateError(reasons, lines.join('\n          '));
}

/**
 * One after the other from a random one on: two stacks that start side by side, with some thirty ports each, would pick one
 * twice in a start of thirty if each port were random, and the second to listen there could not.
 */
let nextPort = randomInt(PORT_MIN, PORT_MAX);

/** Any port will do where none of many was free. */
async function listenSomewhere(): Promise<Listening> {
  for (let tries = 0; tries < 100; tries++) {
    const port = nextPort;
    nextPort = nextPort + 1 < PORT_MAX ? nextPort + 1 : PORT_MIN;
    if (!(await reserve(port))) continue;
    const server = await listen(port).catch(() => null);
    if (server !== null) return server;
    release(port);
  }
  return listen(0);
}

/** A stack that was killed leaves its processes to the watchdog, which needs a moment. */
const TAKEN_PATIENCE_MS = 8_000;

async function listenAt({ port, setting, orAny = false }: WantedPort): Promise<Listening> {
  if (orAny)
    return (await hold(`default-${port}`)) === null ? listenSomewhere() : listen(port).catch(listenSomewhere);
  const deadline = Date.now() + TAKEN_PATIENCE_MS;
  for (;;) {
    try {
      return await listen(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES')
        throw new Error(`port ${port} is not for this user: set ${setting} to one above 1023`, {
          cause: error,
        });
      if (Date.now() > deadline) {
        throw new Error(`port ${port} is taken: stop what listens there, or set ${setting} to another port`, {
          cause: error,
        });
      }
      await delay(100);
    }
  }
}

/** Ports that stay reserved after they were handed out: more than a stack with the most engines has, and each takes a socket. */
const RESERVED_MAX = 256;

/** Holders of the ports that this process was handed out, oldest first. */
const reserved = new Map<number, Holder>();

/** Whether a port is this process's alone to hand out. */
async function reserve(port: number): Promise<boolean> {
  if (reserved.has(port)) return false;
  const holder = await hold(String(port));
  if (holder === null) return false;
  reserved.set(port, holder);
  const [oldest] = reserved.keys();
  if (reserved.size > RESERVED_MAX && oldest !== undefined) release(oldest);
  return true;
}

function release(port: number): void {
  reserved.get(port)?.close();
  reserved.delete(port);
}

interface Holder {
  close(): unknown;
}

/**
 * Has a name for as long as this process lives; null where another process has it, or this one already. Between our look at a
 * port and its server's start, another process would find it free, too. Linux's abstract sockets are gone with their process,
 * however it ends; elsewhere the look alone decides.
 */
function hold(name: string): Promise<Holder | null> {
  if (process.platform !== 'linux') return Promise.resolve({ close: () => undefined });
  return new Promise((resolve) => {
    const holder = createServer().unref();
    holder.once('error', () => resolve(null));
    holder.listen(`\0penstock-port-${name}`, () => resolve(holder));
  });
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
