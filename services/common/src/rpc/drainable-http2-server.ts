import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION_AGE_MS_MAX } from './limits.ts';

interface DrainableServer {
  readonly port: number;
  /** Takes no new connection or stream, waits for the streams in flight, ends what is left after the timeout. */
  close(timeoutMs: number, onTimeout: () => void): Promise<void>;
}

/** At the end of a drain, calls are aborted. This is how long they may take to tell their callers. */
const LAST_WORDS_MS = 200;

/** ±10 %, so that connections made at the same time do not all end at the same time. */
const jittered = (ms: number): number => ms * (0.9 + Math.random() * 0.2);

/** Sends GOAWAY at the connection's age: calls in flight finish, the next go to a new connection. */
function limitAge(session: ServerHttp2Session, maxAgeMs: number): void {
  const timer = setTimeout(() => session.close(), jittered(maxAgeMs));
  timer.unref();
  session.once('close', () => clearTimeout(timer));
}

function listen(server: Http2Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

export async function startDrainableServer(
  options: { host: string; port: number; maxConnectionAgeMs?: number },
  handle: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) => void,
): Promise<DrainableServer> {
  const server = createServer();
  server.on('stream', (stream, headers, _flags, rawHeaders: readonly string[]) =>
    handle(stream, headers, rawHeaders),
  );
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // A broken connection ends its streams, and their handlers deal with it.
    session.on('error', () => undefined);
    limitAge(session, options.maxConnectionAgeMs ?? CONNECTION_AGE_MS_MAX);
  });
  const port = await listen(server, options.host, options.port);

  let closing: Promise<void> | null = null;
  const closeOnce = async (timeoutMs: number, onTimeout: () => void): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const session of sessions) session.close();
    const drained = new AbortController();
    void closed.then(() => drained.abort());
    const late = await sleep(timeoutMs, true, { signal: drained.signal }).catch(() => false);
    if (late) {
      onTimeout();
      await sleep(LAST_WORDS_MS, undefined, { signal: drained.signal }).catch(() => undefined);
      for (const session of sessions) session.destroy();
    }
    await closed;
  };
  return Object.freeze({
    port,
    close(timeoutMs: number, onTimeout: () => void): Promise<void> {
      closing ??= closeOnce(timeoutMs, onTimeout);
      return closing;
    },
  });
}
