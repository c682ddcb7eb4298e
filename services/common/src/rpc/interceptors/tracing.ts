import { SpanKind } from '@opentelemetry/api';
import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { PenstockError } from '../../errors/penstock-error.ts';
import { ATTRIBUTES } from '../../telemetry/names.ts';
import { extractHeaders, injectHeaders, TRACE_HEADER } from '../../telemetry/propagation.ts';
import { continueTrace, openSpan, type Attributes, type EdgeSpan } from '../../telemetry/spans.ts';
import { principalKey, requestIdKey } from '../call-context.ts';

type Request = UnaryRequest | StreamRequest;
type Response = UnaryResponse | StreamResponse;

/** Of google.golang.org/grpc/codes; Connect's list begins after it. */
const GRPC_OK = 0;

const nameOf = ({ service, method }: Request): string => `${service.typeName}/${method.name}`;

function attributesOf({ service, method }: Request): Attributes {
  return {
    [ATTRIBUTES.rpcSystem]: 'grpc',
    [ATTRIBUTES.rpcService]: service.typeName,
    [ATTRIBUTES.rpcMethod]: method.name,
  };
}

/** Our own code where the error was made here, else what the status says. */
function kindOf(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  return error.cause instanceof PenstockError ? error.cause : Code[error.code];
}

/** Runs a call in its span, which ends with the call: a stream's with its last message. */
async function inCall(
  span: EdgeSpan,
  call: () => Promise<Response>,
  last: () => Attributes,
): Promise<Response> {
  const end = (error?: unknown): void => {
    const code = error === undefined ? GRPC_OK : error instanceof ConnectError ? error.code : Code.Unknown;
    span.add({ ...last(), [ATTRIBUTES.rpcStatus]: code });
    if (error !== undefined) span.failed(kindOf(error));
    span.end();
  };
  try {
    const response = await span.run(call);
    if (response.stream) {
      // Not all of its members may be its own.
      const { service, method, header, trailer, message } = response;
      return { stream: true, service, method, header, trailer, message: span.iterate(message, end) };
    }
    end();
    return response;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Sends the trace under way along with every call, each with a span. */
export const tracedCall: Interceptor = (next) => (request) => {
  const call = (): Promise<Response> => {
    injectHeaders(request.header);
    return next(request);
  };
  const span = openSpan(nameOf(request), {
    kind: SpanKind.CLIENT,
    attributes: () => attributesOf(request),
  });
  return span === null ? call() : inCall(span, call, () => ({}));
};

/** Goes on with the trace that a caller sends along. */
export const tracedHandling: Interceptor = (next) => (request) => {
  if (!request.header.has(TRACE_HEADER)) return next(request);
  const options = { kind: SpanKind.SERVER, attributes: () => attributesOf(request) };
  const span = continueTrace(nameOf(request), options, extractHeaders(request.header));
  if (span === null) return next(request);
  const { contextValues } = request;
  return inCall(
    span,
    () => next(request),
    () => {
      const tenantId = contextValues.get(principalKey)?.tenantId;
      return {
        [ATTRIBUTES.requestId]: contextValues.get(requestIdKey),
        ...(tenantId === undefined ? {} : { [ATTRIBUTES.tenantId]: tenantId }),
      };
    },
  );
};
