import type {
  DescMessage,
  DescMethodServerStreaming,
  DescService,
  MessageInitShape,
} from '@bufbuild/protobuf';
import { createClient, type CallOptions, type Client, type Transport } from '@connectrpc/connect';
import { AUTHORIZATION_HEADER, REQUEST_ID_HEADER, USAGE_ID_HEADER } from './headers.ts';
import { tracedCall } from './interceptors/tracing.ts';
import { only } from './messages.ts';
import { createChannelTransport, type ChannelTransportOptions, type HeadersGiven } from './transport.ts';

export interface RpcClient<S extends DescService> {
  /**
   * Rejects with ConnectError (see fromConnectError). Leaving the loop over a stream early does not end its call, as
   * with any Connect client: abort the signal.
   */
  readonly client: Client<S>;
  /** Connects without a call; see ChannelTransport. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  /** Whether no replica can be reached; see ChannelTransport. */
  readonly isAway: () => boolean;
  readonly close: () => void;
}

/** What Connect's client does of such a method, without the generators that it has for engines of long ago. */
const serverStreaming =
  (transport: Transport, method: DescMethodServerStreaming) =>
  (input: MessageInitShape<DescMessage>, options: CallOptions = {}): AsyncIterable<unknown> => {
    const { signal, timeoutMs, contextValues } = options;
    const headers = options.headers as unknown as HeadersGiven;
    const answering = transport.stream(method, signal, timeoutMs, headers, only(input), contextValues);
    let messages: AsyncIterator<unknown> | null = null;
    const next = async (): Promise<IteratorResult<unknown>> => {
      const answer = await answering;
      if (messages === null) options.onHeader?.(answer.header);
      messages ??= answer.message[Symbol.asyncIterator]();
      const step = await messages.next();
      if (step.done === true) options.onTrailer?.(answer.trailer);
      return step;
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  };

function clientOf<S extends DescService>(service: S, transport: Transport): Client<S> {
  const streaming = service.methods.flatMap((method) =>
    method.methodKind === 'server_streaming'
      ? [[method.localName, serverStreaming(transport, method as DescMethodServerStreaming)] as const]
      : [],
  );
  return { ...createClient(service, transport), ...Object.fromEntries(streaming) };
}

export function createRpcClient<S extends DescService>(
  service: S,
  options: ChannelTransportOptions,
): RpcClient<S> {
  const { transport, connected, isAway, close } = createChannelTransport(service, {
    ...options,
    interceptors: [tracedCall, ...(options.interceptors ?? [])],
  });
  return Object.freeze({ client: clientOf(service, transport), connected, isAway, close });
}

export interface OutgoingCall {
  /** The token to act with: the caller's, forwarded, or an operator's; null where the service needs none. */
  readonly token: string | null;
  readonly requestId: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** UUID that usage is recorded under. */
  readonly usageId?: string;
}

/** What every call to another service carries. */
export function callOptions(call: OutgoingCall): CallOptions {
  return {
    headers: {
      [REQUEST_ID_HEADER]: call.requestId,
      ...(call.token === null ? {} : { [AUTHORIZATION_HEADER]: `Bearer ${call.token}` }),
      ...(call.usageId === undefined ? {} : { [USAGE_ID_HEADER]: call.usageId }),
    },
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
  };
}
