/** The gateway over a real RPC server whose services are small fakes; every answer is checked against the document. */
import type { ServiceImpl } from '@connectrpc/connect';
import { expect } from 'chai';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { SchemaService } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { UsageService } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { startRpcServer, type RpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import {
  CLIENT,
  createTestSigner,
  ISSUER,
  type TestSigner,
} from '../../../services/common/test/token/signer.ts';
import { createApp } from '../../src/app.ts';
import { connectClients } from '../../src/clients/gateway-clients.ts';
import { fetchKeySet } from '@penstock/common/rpc/key-set-client.ts';
import { startHttpServer, type HttpServer } from '../../src/http/server.ts';
import { createMemoryBuckets } from '../../src/limiting/memory-buckets.ts';
import { createTenantLimiter } from '../../src/limiting/tenant-limiter.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { watchRevocations } from '../../src/revocations/revocation-list.ts';
import { expectDescribed } from './described.ts';

/** What the fakes do; tests replace it. */
interface Fakes {
  tokens: Partial<ServiceImpl<typeof TokenService>>;
  queries: Partial<ServiceImpl<typeof QueryService>>;
  schemas: Partial<ServiceImpl<typeof SchemaService>>;
  usage: Partial<ServiceImpl<typeof UsageService>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly body: Body;
}

/** Either envelope; tests look at what they expect. */
interface Body {
  readonly success: boolean;
  readonly data: Record<string, unknown>;
  readonly error: { readonly message: string; readonly code: string; readonly requestId: string } & string;
  readonly detailedError?: string;
}

export interface SendOptions {
  /** Null: no token. */
  readonly as?: Principal | null;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface TestGateway {
  readonly url: string;
  readonly fakes: Fakes;
  readonly signer: TestSigner;
  /** What was metered, in order. */
  readonly recorded: UsageEvent[];
  readonly server: HttpServer;
  readonly services: RpcServer;
  /** Log lines, parsed. */
  readonly lines: Record<string, unknown>[];
  ready: boolean;
  /** Replaces what recording usage does. */
  record: (...events: readonly UsageEvent[]) => Promise<void>;
  /** Replaces what asking whether usage can be recorded does. */
  ensureAble: () => void;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** May do everything. */
export const EVERYTHING: Principal = Object.freeze({
  ...CLIENT,
  scopes: Object.freeze(['query', 'schemas:read', 'schemas:write', 'usage:read'] as const),
});

export const MEMBER: Principal = Object.freeze({
  ...CLIENT,
  principalId: 'user-1',
  principalType: 'user',
  role: 'member',
  scopes: [],
});

export async function startGateway(rate = { rps: 10_000, burst: 10_000 }): Promise<TestGateway> {
  const signer = await createTestSigner();
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const fakes: Fakes = {
    tokens: {
      getKeySet: () => ({ jwksJson: JSON.stringify(signer.keySet) }),
      listRevocations: () => ({ revocations: [] }),
    },
    queries: {},
    schemas: {},
    usage: {},
  };
  const services = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => {
      router
        .service(
          TokenService,
          current(TokenService, () => fakes.tokens),
        )
        .service(
          QueryService,
          current(QueryService, () => fakes.queries),
        )
        .service(
          SchemaService,
          current(SchemaService, () => fakes.schemas),
        )
        .service(
          UsageService,
          current(UsageService, () => fakes.usage),
        );
    },
    verifier: createTokenVerifier({ issuer: ISSUER, fetchKeySet: async () => signer.keySet }),
    publicServices: [TokenService.typeName],
    logger: createLogger({ service: 'fakes', level: 'silent' }),
    metrics: createMetrics('fakes'),
    isReady: () => true,
    drainTimeoutMs: 100,
  });
  const target = `ipv4:127.0.0.1:${services.port}`;
  const { clients, close } = connectClients({
    auth: target,
    engine: target,
    registry: target,
    usage: target,
  });
  const revocations = watchRevocations(clients.tokens, logger, 50);
  const recorded: UsageEvent[] = [];
  const gateway = {
    ready: true,
    record: async (...events: readonly UsageEvent[]) => void recorded.push(...events),
    ensureAble: (): void => undefined,
  };
  const app = createApp({
    clients,
    verifier: createTokenVerifier({ issuer: ISSUER, fetchKeySet: () => fetchKeySet(clients.tokens) }),
    revocations,
    limiter: createTenantLimiter(createMemoryBuckets(systemClock), rate),
    guesses: createGuesses(null, logger),
    usage: { record: (...events) => gateway.record(...events), ensureAble: () => gateway.ensureAble() },
    settings: { baseUrl: ISSUER, mcpUrl: ISSUER, trustedProxies: ['loopback'] },
    logger,
    metrics: createMetrics('gateway'),
    isReady: () => gateway.ready,
  });
  const server = await startHttpServer({ host: '127.0.0.1', port: 0 }, app);
  const url = `http://127.0.0.1:${server.port}`;

  return Object.assign(gateway, {
    url,
    fakes,
    signer,
    recorded,
    server,
    services,
    lines,
    async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
      const { as = EVERYTHING, json, headers = {}, signal } = options;
      const body = options.body ?? (json === undefined ? undefined : JSON.stringify(json));
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${await signer.sign(as)}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
      expect(answer.headers.get('x-request-id'), 'x-request-id').to.match(/^[A-Za-z0-9._-]{1,128}$/);
      expectDescribed(method, path, answer);
      return answer;
    },
    async close() {
      revocations.close();
      close();
      await server.close(100);
      await services.close();
    },
  });
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined as unknown as Body;
  }
}

/** An implementation that looks up what the fake does now, method by method. */
function current<S extends { readonly methods: readonly { readonly localName: string }[] }, I extends object>(
  service: S,
  fake: () => I,
): I {
  const entries = service.methods.map(({ localName }) => [
    localName,
    (...parameters: unknown[]): unknown => {
      const implementation = (fake() as Record<string, ((...given: unknown[]) => unknown) | undefined>)[
        localName
      ];
      if (implementation === undefined) throw new Error(`the test has no fake for ${localName}`);
      return implementation(...parameters);
    },
  ]);
  return Object.fromEntries(entries) as I;
}
