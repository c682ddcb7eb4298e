/**
 * A Connect transport on a grpc-js channel: connect-node has no client-side load balancing, grpc-js has (`dns:///` and
 * `ipv4:` targets, round robin, keepalive, retries by service config). Unary and server-streaming calls, which is what
 * our services have.
 */
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescService,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  type ContextValues,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { Channel, connectivityState, credentials } from '@grpc/grpc-js';
import { appendMetadata, callError, headersFrom, metadataFrom, serviceLabel } from './call-status.ts';
import { startCall, type ChannelCall } from './channel-call.ts';
import { keepClosingSessions } from './closing-sessions.ts';
import { within } from './interceptors/within.ts';
import {
  KEEPALIVE_INTERVAL_MS,
  KEEPALIVE_TIMEOUT_MS,
  MESSAGE_BYTES_MAX,
  RECONNECT_BACKOFF_MS,
  STREAM_WINDOW_BYTES,
} from './limits.ts';
import { normalized, single } from './messages.ts';
import { usePlainBinding } from './plain-binding.ts';
import { serviceConfigOf } from './service-config.ts';

export interface ChannelTransportOptions {
  /** `dns:///host:port` or `ipv4:127.0.0.1:1,127.0.0.1:2`. */
  readonly target: string;
  /** For calls that bring no timeout of their own: no call lasts for ever. */
  readonly defaultTimeoutMs: number;
  /** KEEPALIVE_INTERVAL_MS where absent. */
  readonly keepaliveIntervalMs?: number;
  /** Run around every call. */
  readonly interceptors?: readonly Interceptor[];
}

/** `HeadersInit` without the DOM's types. */
export type HeadersGiven = ConstructorParameters<typeof Headers>[0];

interface ChannelTransport {
  readonly transport: Transport;
  /** Connects without a call. Resolves to true when a replica can be reached, to false after the time given. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  /** True from a failed attempt to connect, to every replica, until one succeeds: calls fail at once meanwhile. */
  readonly isAway: () => boolean;
  /** Ends the connections; calls in flight fail. */
  readonly close: () => void;
}

function openChannel(
  service: DescService,
  { target, keepaliveIntervalMs = KEEPALIVE_INTERVAL_MS }: ChannelTransportOptions,
): Channel {
  keepClosingSessions();
  usePlainBinding();
  return new Channel(target, credentials.createInsecure(), {
    'grpc.service_config': serviceConfigOf(service),
    'grpc.service_config_disable_resolution': 1,
    'grpc.keepalive_time_ms': keepaliveIntervalMs,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    'grpc.initial_reconnect_backoff_ms': RECONNECT_BACKOFF_MS.initial,
    'grpc.max_reconnect_backoff_ms': RECONNECT_BACKOFF_MS.max,
    'grpc.dns_min_time_between_resolutions_ms': RECONNECT_BACKOFF_MS.max,
    'grpc-node.flow_control_window': STREAM_WINDOW_BYTES,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    // Connections of one client are its own: closing it leaves the others alone.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
  });
}

async function isConnected(channel: Channel, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) return true;
    const changed = await new Promise<boolean>((resolve) => {
      channel.watchConnectivityState(state, deadline, (error) => resolve(error === undefined));
    });
    if (!changed) return false;
  }
}

/** Cancels the call when the signal aborts, until the returned function is called. */
function cancelOnAbort(signal: AbortSignal, call: ChannelCall): () => void {
  const cancel = (): void => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

/** Why a call failed: that its caller gave it up, where he did. */
function failureOf(error: unknown, calledService: string, signal: AbortSignal): ConnectError {
  return signal.aborted ? ConnectError.from(signal.reason, Code.Canceled) : callError(error, calledService);
}

async function* messagesOf<O extends DescMessage>(
  call: ChannelCall,
  first: Buffer | null,
  output: O,
  end: () => void,
  failed: (error: unknown) => ConnectError,
): AsyncGenerator<MessageShape<O>> {
  try {
    for (let message = first; message !== null; message = await call.read())
      yield fromBinary(output, message);
  } catch (error) {
    throw failed(error);
  } finally {
    end();
  }
}

/** A stream's answer. */
class StreamAnswer<I extends DescMessage, O extends DescMessage> implements StreamResponse<I, O> {
  readonly stream = true;
  readonly service: DescService;
  readonly method: DescMethodStreaming<I, O>;
  readonly trailer: Headers;
  readonly message: AsyncIterable<MessageShape<O>>;
  private readonly call: ChannelCall;

  constructor(
    method: DescMethodStreaming<I, O>,
    call: ChannelCall,
    trailer: Headers,
    message: AsyncIterable<MessageShape<O>>,
  ) {
    this.service = method.parent;
    this.method = method;
    this.trailer = trailer;
    this.message = message;
    this.call = call;
  }

  /** Made for who asks for it, which hardly anybody does. */
  get header(): Headers {
    return headersFrom(this.call.header());
  }
}

export function createChannelTransport(
  service: DescService,
  options: ChannelTransportOptions,
): ChannelTransport {
  const channel = openChannel(service, options);
  const calledService = serviceLabel(service.typeName);
  const interceptors = [...(options.interceptors ?? [])];

  const start = (
    request: UnaryRequest | StreamRequest,
    message: Uint8Array,
    timeoutMs: number,
  ): ChannelCall =>
    startCall(
      channel,
      `/${request.service.typeName}/${request.method.name}`,
      Date.now() + timeoutMs,
      metadataFrom(request.header),
      message,
    );

  /** What a call begins with; it is not begun where its caller has given it up already. */
  const begun = (
    method: DescMethod,
    signal: AbortSignal | undefined,
    header: HeadersGiven,
    contextValues: ContextValues | undefined,
  ) => {
    if (signal?.aborted === true) throw ConnectError.from(signal.reason, Code.Canceled);
    return {
      service: method.parent,
      requestMethod: 'POST',
      url: `grpc:${options.target}`,
      header: new Headers(header),
      contextValues: contextValues ?? createContextValues(),
      signal: signal ?? new AbortController().signal,
    };
  };

  const transport: Transport = {
    async unary(method, signal, timeoutMs, header: HeadersGiven, input, contextValues) {
      const common = begun(method, signal, header, contextValues);
      const handle = within<UnaryResponse<typeof method.input, typeof method.output>>(
        interceptors,
        async (request) => {
          const message = (request as UnaryRequest).message as MessageShape<typeof method.input>;
          const call = start(request, toBinary(method.input, message), timeoutMs ?? options.defaultTimeoutMs);
          const release = cancelOnAbort(request.signal, call);
          try {
            const answer = await call.read();
            // The status comes after the message; a call has ended only with it.
            if (answer === null || (await call.read()) !== null) {
              throw new ConnectError('a unary call is answered by one message', Code.Internal);
            }
            return {
              stream: false,
              service: method.parent,
              method,
              header: headersFrom(call.header()),
              trailer: headersFrom(call.trailer()),
              message: fromBinary(method.output, answer),
            };
          } catch (error) {
            throw failureOf(error, calledService, request.signal);
          } finally {
            release();
          }
        },
      );
      return handle({ ...common, stream: false, method, message: create(method.input, input) });
    },

    async stream(method, signal, timeoutMs, header: HeadersGiven, input, contextValues) {
      const common = begun(method, signal, header, contextValues);
      const handle = within<StreamResponse<typeof method.input, typeof method.output>>(
        interceptors,
        async (request) => {
          const message = (await single((request as StreamRequest).message)) as MessageShape<
            typeof method.input
          >;
          const call = start(request, toBinary(method.input, message), timeoutMs ?? options.defaultTimeoutMs);
          const release = cancelOnAbort(request.signal, call);
          const failed = (error: unknown): ConnectError => failureOf(error, calledService, request.signal);
          const trailer = new Headers();
          const end = (): void => {
            release();
            appendMetadata(trailer, call.trailer());
          };
          try {
            const first = await call.read();
            const message = messagesOf(call, first, method.output, end, failed);
            return new StreamAnswer(method, call, trailer, message);
          } catch (error) {
            release();
            throw failed(error);
          }
        },
      );
      return handle({ ...common, stream: true, method, message: normalized(method.input, input) });
    },
  };
  return Object.freeze({
    transport,
    connected: (timeoutMs: number) => isConnected(channel, timeoutMs),
    isAway: () => channel.getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE,
    close: () => channel.close(),
  });
}
