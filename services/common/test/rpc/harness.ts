/** Real servers and clients for the tests of this folder, ended after each test. */
import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter } from '@connectrpc/connect';
import { createLogger, type Logger } from '../../src/logging/logger.ts';
import { createRpcClient, type RpcClient } from '../../src/rpc/client.ts';
import { startRpcServer, type RpcServer, type RpcServerOptions } from '../../src/rpc/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createTokenVerifier } from '../../src/token/verifier.ts';
import { createTestSigner, ISSUER, type TestSigner } from '../token/signer.ts';

export interface Harness {
  readonly signer: TestSigner;
  /** Log lines of all servers, parsed. */
  readonly lines: Record<string, unknown>[];
  readonly logger: Logger;
  serve(routes: (router: ConnectRouter) => void, change?: Partial<RpcServerOptions>): Promise<RpcServer>;
  connect<S extends DescService>(
    service: S,
    servers: readonly RpcServer[],
    timeoutMs?: number,
  ): RpcClient<S>['client'];
  close(): Promise<void>;
}

export async function createHarness(): Promise<Harness> {
  const signer = await createTestSigner();
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const verifier = createTokenVerifier({ issuer: ISSUER, fetchKeySet: async () => signer.keySet });
  const ends: (() => unknown)[] = [];
  return {
    signer,
    lines,
    logger,
    async serve(routes, change = {}) {
      const server = await startRpcServer({
        host: '127.0.0.1',
        port: 0,
        routes,
        verifier,
        logger,
        metrics: createMetrics('test'),
        isReady: () => true,
        drainTimeoutMs: 500,
        ...change,
      });
      ends.unshift(() => server.close());
      return server;
    },
    connect(service, servers, timeoutMs = 5_000) {
      const target = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
      const { client, close } = createRpcClient(service, { target, defaultTimeoutMs: timeoutMs });
      ends.unshift(close);
      return client;
    },
    async close() {
      for (const end of ends) await end();
    },
  };
}

/** The error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${String(value)}`);
}
