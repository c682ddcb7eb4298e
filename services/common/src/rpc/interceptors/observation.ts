import {
  Code,
  type ConnectError,
  type Interceptor,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect';
import { PenstockError } from '../../errors/penstock-error.ts';
import type { Logger } from '../../logging/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { loggerKey } from '../call-context.ts';
import { toConnectError } from '../error-mapping.ts';

/**
 * Ends every call in one way. Its error becomes a status with an ErrorDetail. Its outcome becomes a line in the
 * access log and an observation of its duration. A stream ends when its last message was taken or its caller went
 * away.
 */
export function observationInterceptor(logger: Logger, metrics: Metrics): Interceptor {
  const durations = metrics.histogram(
    'penstock_rpc_server_duration_seconds',
    'Duration of the calls served, by method and gRPC code.',
    ['rpc', 'code'],
  );
  const inFlight = metrics.gauge('penstock_rpc_server_in_flight', 'Calls being served.', ['rpc']);

  const begin = (request: UnaryRequest | StreamRequest) => {
    const rpc = `${request.service.typeName}/${request.method.name}`;
    const start = performance.now();
    const callLogger = (): Logger => request.contextValues.get(loggerKey) ?? logger;
    inFlight.inc({ rpc });
    const end = (code: string, error?: ConnectError): void => {
      const seconds = (performance.now() - start) / 1000;
      inFlight.dec({ rpc });
      durations.observe({ rpc, code }, seconds);
      const level = request.service.typeName.startsWith('grpc.') ? 'debug' : 'info';
      const penstockCode = error?.cause instanceof PenstockError ? { errorCode: error.cause.code } : {};
      callLogger()[level]({ rpc, code, durationMs: Math.round(seconds * 1000), ...penstockCode }, 'rpc');
    };
    const fail = (error: unknown): ConnectError => {
      // Where something broke because the call had ended, report the end of the call.
      const ownWords = error instanceof PenstockError && error.code !== 'CANCELLED';
      const aborted = request.signal.aborted && !ownWords;
      const status = toConnectError(aborted ? (request.signal.reason as unknown) : error, callLogger());
      end(Code[status.code], status);
      return status;
    };
    return { end, fail };
  };

  return (next) => async (request) => {
    const call = begin(request);
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: watched(response.message, call) };
      call.end('Ok');
      return response;
    } catch (error) {
      throw call.fail(error);
    }
  };
}

interface ObservedCall {
  end(code: string): void;
  fail(error: unknown): ConnectError;
}

/** A plain iterator, for what `messages.ts` says of generators. */
function watched<T>(messages: AsyncIterable<T>, call: ObservedCall): AsyncIterable<T> {
  const given = messages[Symbol.asyncIterator]();
  let hasEnded = false;
  const once = (end: () => void): void => {
    if (!hasEnded) end();
    hasEnded = true;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await given.next();
          if (step.done === true) once(() => call.end('Ok'));
          return step;
        } catch (error) {
          hasEnded = true;
          throw call.fail(error);
        }
      },
      async return(value: unknown) {
        try {
          await given.return?.();
          return { done: true, value };
        } catch (error) {
          if (hasEnded) throw error;
          hasEnded = true;
          throw call.fail(error);
        } finally {
          once(() => call.end(Code[Code.Canceled]));
        }
      },
    }),
  };
}
