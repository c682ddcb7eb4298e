import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Emulator, StartBackend } from './backend.ts';

type Dynalite = (options: {
  readonly path: string;
  readonly createTableMs: number;
  readonly deleteTableMs: number;
  readonly updateTableMs: number;
}) => Server;

const start: StartBackend = async (path) => {
  const createDynalite = createRequire(import.meta.url)('dynalite') as Dynalite;
  mkdirSync(path, { recursive: true });
  const server = createDynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    isAlive: () => server.listening,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

/**
 * dynalite inside this process: for platforms without dynoxide. It has no transactions, no PartiQL, and
 * answers 0 for sizes.
 */
export const dynalite: Emulator = {
  start,
  overcountsCutPages: false,
  keepsSqliteFile: false,
  ignoresCaseOfPrefixes: false,
};
