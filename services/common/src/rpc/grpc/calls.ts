/**
 * gRPC calls that send one message, handled on their HTTP/2 streams. Connect's adapter serves every protocol through
 * iterables of iterables and requests as browsers have them; between our own services that was half of what a short call
 * costs. Methods, interceptors and errors are the same here and there.
 */
import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  type HandlerContext,
  type Interceptor,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect';
import { parseTimeout } from '@connectrpc/connect/protocol-grpc';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { within } from '../interceptors/within.ts';
import { CALL_MS_MAX } from '../limits.ts';
import { normalized, only } from '../messages.ts';
import { answerOn, type Answer } from './answer.ts';
import { ANSWERED, CALLER_GONE, createCallEnd } from './call-end.ts';
import { encodingOf } from './encoded-message.ts';
import { onlyMessage } from './envelope.ts';
import { fromHttp2 } from './headers.ts';
import type { ServedMethod, ServedMethods } from './methods.ts';
import { readBody } from './read-body.ts';

const PROTO_TYPES: ReadonlySet<string | undefined> = new Set(['application/grpc', 'application/grpc+proto']);

export interface GrpcCalls {
  /** Handles the call, if it is one of these; false where it is not. */
  readonly take: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;
  /** Ends the calls under way with this error. */
  readonly endAll: (error: ConnectError) => void;
}

/** A call's method and context, and what runs around it. */
interface Call {
  readonly served: ServedMethod;
  readonly context: HandlerContext;
  readonly interceptors: readonly Interceptor[];
}

const requestOf = ({ context }: Call) => ({
  service: context.service,
  requestMethod: context.requestMethod,
  url: context.url,
  signal: context.signal,
  header: context.requestHeader,
  contextValues: context.values,
});

const responseOf = ({ context }: Call) => ({
  service: context.service,
  header: context.responseHeader,
  trailer: context.responseTrailer,
});

async function answerUnary(
  { method, run }: Extract<ServedMethod, { kind: 'unary' }>,
  call: Call,
  message: Buffer,
  { write }: Answer,
): Promise<void> {
  const handle = within<{ message: MessageShape<DescMessage> }>(call.interceptors, async (request) => ({
    ...responseOf(call),
    stream: false,
    method,
    message: create(method.output, await run((request as UnaryRequest).message, call.context)),
  }));
  const request = { ...requestOf(call), stream: false as const, method };
  const response = await handle({ ...request, message: fromBinary(method.input, message) });
  await write([toBinary(method.output, response.message)]);
}

async function answerStream(
  { method, run }: Extract<ServedMethod, { kind: 'server_streaming' }>,
  call: Call,
  message: Buffer,
  { write }: Answer,
): Promise<void> {
  type Response = { message: AsyncIterable<MessageShape<DescMessage>> };
  const handle = within<Response>(call.interceptors, async (request) => {
    for await (const given of (request as StreamRequest).message)
      return {
        ...responseOf(call),
        stream: true,
        method,
        message: normalized(method.output, run(given, call.context)),
      };
    throw new ConnectError('protocol error: missing input message', Code.Unimplemented);
  });
  const request = { ...requestOf(call), stream: true as const, method };
  const { message: messages } = await handle({
    ...request,
    message: only(fromBinary(method.input, message)),
  });
  for await (const answered of messages) {
    await write(encodingOf(answered) ?? [toBinary(method.output, answered)]);
    // A call that is over takes no more: leaving ends the handler, and what has gone out is not all.
    call.context.signal.throwIfAborted();
  }
}

/** What a failed call is answered with: interceptors have made it a status by then, unless it failed before them. */
function statusOf(error: unknown, signal: AbortSignal): ConnectError {
  const known: unknown = signal.aborted && !(error instanceof ConnectError) ? signal.reason : error;
  if (known instanceof ConnectError) return known;
  return new ConnectError('internal error', Code.Internal, undefined, undefined, known);
}

/** `interceptors`: run around each call, the first outermost. */
export function grpcCalls(methods: ServedMethods, interceptors: readonly Interceptor[]): GrpcCalls {
  const underWay = new Set<(reason: unknown) => void>();

  const handle = async (
    served: ServedMethod,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ): Promise<void> => {
    const requestHeader = fromHttp2(headers);
    const timeout = parseTimeout(requestHeader.get('grpc-timeout'), CALL_MS_MAX);
    const { signal, timeoutMs, end } = createCallEnd(timeout.timeoutMs);
    const context: HandlerContext = {
      service: served.method.parent,
      method: served.method,
      protocolName: 'grpc',
      requestMethod: 'POST',
      url: `http://${headers[':authority'] ?? ''}${headers[':path'] ?? ''}`,
      signal,
      timeoutMs,
      requestHeader,
      responseHeader: new Headers(),
      responseTrailer: new Headers(),
      values: createContextValues(),
    };
    // A stream that breaks closes, too.
    stream.on('error', () => undefined);
    stream.once('close', () => end(CALLER_GONE));
    underWay.add(end);
    const answer = answerOn(stream, context.responseHeader, context.responseTrailer);
    const call = { served, context, interceptors };
    let failure: ConnectError | null = null;
    try {
      const message = onlyMessage(await readBody(stream, signal));
      if (timeout.error !== undefined) throw timeout.error;
      await (served.kind === 'unary'
        ? answerUnary(served, call, message, answer)
        : answerStream(served, call, message, answer));
    } catch (error) {
      failure = statusOf(error, signal);
    } finally {
      underWay.delete(end);
      answer.end(failure);
      end(ANSWERED);
    }
  };

  return {
    take(stream, headers) {
      const served = methods.get(headers[':path'] ?? '');
      const encoding = headers['grpc-encoding'];
      if (
        served === undefined ||
        headers[':method'] !== 'POST' ||
        !PROTO_TYPES.has(headers['content-type']) ||
        (encoding !== undefined && encoding !== 'identity')
      )
        return false;
      void handle(served, stream, headers);
      return true;
    },
    endAll: (error) => {
      for (const end of underWay) end(error);
    },
  };
}
