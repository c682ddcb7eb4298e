/** The endpoint's port: connections in, sessions looked through, all ended at the end. */
import { createServer, type AddressInfo } from 'node:net';
import { serve, type ConnectionParts } from './connection/connection.ts';
import type { OpenSession } from './connection/open-session.ts';
import { PgError } from './errors/pg-error.ts';
import { REVOCATION_CHECK_MS } from './limits.ts';

export interface PostgresServer {
  readonly port: number;
  /** Takes no new connection, ends idle sessions at once and the others when the time is over. */
  close(timeoutMs: number): Promise<void>;
}

const ENDING = new PgError({
  code: '57P01',
  message: 'terminating connection due to administrator command',
  hint: 'connect again',
  severity: 'FATAL',
});

/** Connections that the system keeps for us while others are taken. */
const BACKLOG = 1_024;

export async function startPostgresServer(
  options: { readonly host: string; readonly port: number },
  parts: ConnectionParts,
): Promise<PostgresServer> {
  const sessions = new Set<OpenSession>();
  const connections = new Set<Promise<void>>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (socket) => {
    const served = serve(socket, parts, sessions);
    connections.add(served);
    void served.finally(() => connections.delete(served));
  });
  const check = async (session: OpenSession): Promise<void> => {
    try {
      await session.identity.check();
    } catch (error) {
      // That nobody can tell at the moment ends no session.
      if (error instanceof PgError) session.end(error);
    }
  };
  const checks = setInterval(() => {
    for (const session of sessions) void check(session);
  }, REVOCATION_CHECK_MS);
  checks.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(timeoutMs) {
      clearInterval(checks);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.drain(ENDING);
      const late = setTimeout(() => {
        for (const session of sessions) session.end(ENDING);
      }, timeoutMs);
      await Promise.allSettled([...connections]);
      clearTimeout(late);
      await closed;
    },
  };
}
