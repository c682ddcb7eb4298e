import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { createValidator } from '@bufbuild/protovalidate';
import { createValidateInterceptor } from '@connectrpc/validate';
import { Health } from '../gen/grpc/health/v1/health_pb.js';
import { ServerReflection } from '../gen/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as ServerReflectionAlpha } from '../gen/grpc/reflection/v1alpha/reflection_pb.js';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TokenVerifier } from '../token/verifier.ts';
import { SERVER_IS_CLOSING } from './error-mapping.ts';
import { startDrainableServer } from './drainable-http2-server.ts';
import { gatherWrites } from './gather-writes.ts';
import { grpcCalls } from './grpc/calls.ts';
import { recordMethods, type ServedMethods } from './grpc/methods.ts';
import { healthService } from './health.ts';
import { authenticationInterceptor } from './interceptors/authentication.ts';
import { observationInterceptor } from './interceptors/observation.ts';
import { tracedHandling } from './interceptors/tracing.ts';
import { requestIdInterceptor } from './interceptors/request-id.ts';
import { DRAIN_TIMEOUT_MS, CALL_MS_MAX, MESSAGE_BYTES_MAX } from './limits.ts';
import { reflectionAlphaService, reflectionService } from './reflection-service.ts';

/** Compiles the rules of a message when it comes for the first time, for all servers of the process. */
const validator = createValidator();

export interface RpcServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly routes: (router: ConnectRouter) => void;
  /** Null: every service that is neither public nor the operator's refuses every call. */
  readonly verifier: TokenVerifier | null;
  readonly operatorToken?: string;
  /** Type names of services that need no token. */
  readonly publicServices?: readonly string[];
  /** Type names of services that need the operator's token. */
  readonly operatorServices?: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What grpc.health.v1 answers; NOT_SERVING from the moment of closing whatever this says. */
  readonly isReady: () => boolean;
  /** Run around every call, before ours but within its span. */
  readonly interceptors?: readonly Interceptor[];
  readonly drainTimeoutMs?: number;
  readonly maxConnectionAgeMs?: number;
}

export interface RpcServer {
  readonly port: number;
  /** Lets calls in flight finish for as long as drainTimeoutMs, then ends them with UNAVAILABLE. */
  close(): Promise<void>;
}

/** Open to anyone who can reach the port: probes and tools ask them, and they tell nothing of a tenant. */
const OPEN_SERVICES: readonly DescService[] = [Health, ServerReflection, ServerReflectionAlpha];

/** gRPC (and gRPC-web and Connect) on plain HTTP/2, with health and reflection. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { logger, metrics } = options;
  const publicServices = [
    ...(options.publicServices ?? []),
    ...OPEN_SERVICES.map(({ typeName }) => typeName),
  ];
  const shutdown = new AbortController();
  let closing = false;

  let methods: ServedMethods = new Map();

  const routes = (router: ConnectRouter): void => {
    methods = recordMethods(router, options.routes);
    const own = new Set(router.handlers.map(({ service }) => service));
    const services = [...own, ...OPEN_SERVICES];
    const knows = (name: string): boolean => services.some(({ typeName }) => typeName === name);
    router.service(
      Health,
      healthService(() => !closing && options.isReady(), knows),
    );
    router.service(ServerReflection, reflectionService(services));
    router.service(ServerReflectionAlpha, reflectionAlphaService(services));
  };

  const interceptors: Interceptor[] = [
    tracedHandling,
    ...(options.interceptors ?? []),
    requestIdInterceptor(logger),
    observationInterceptor(logger, metrics),
    authenticationInterceptor({
      verifier: options.verifier,
      publicServices: new Set(publicServices),
      operatorServices: new Set(options.operatorServices),
      operatorToken: options.operatorToken ?? null,
    }),
    createValidateInterceptor({ validator }),
  ];
  const handle = connectNodeAdapter({
    routes,
    interceptors,
    readMaxBytes: MESSAGE_BYTES_MAX,
    writeMaxBytes: MESSAGE_BYTES_MAX,
    // Compressing for a neighbor costs more than it saves, and every gRPC client offers it.
    compressMinBytes: MESSAGE_BYTES_MAX,
    maxTimeoutMs: CALL_MS_MAX,
    shutdownSignal: shutdown.signal,
  });
  const calls = grpcCalls(methods, interceptors);
  const server = await startDrainableServer(options, (stream, headers, rawHeaders) => {
    if (calls.take(stream, headers)) return;
    const request = new Http2ServerRequest(stream, headers, {}, rawHeaders);
    const response = new Http2ServerResponse(stream);
    gatherWrites(stream);
    handle(request, response);
  });
  logger.info({ host: options.host, port: server.port }, 'rpc server listening');

  return Object.freeze({
    port: server.port,
    close(): Promise<void> {
      closing = true;
      return server.close(options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS, () => {
        calls.endAll(SERVER_IS_CLOSING);
        shutdown.abort(SERVER_IS_CLOSING);
      });
    },
  });
}
