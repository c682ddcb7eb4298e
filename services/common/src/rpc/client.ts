import type { DescService } from '@bufbuild/protobuf';
import { createClient, type CallOptions, type Client } from '@connectrpc/connect';
import { AUTHORIZATION_HEADER, REQUEST_ID_HEADER, USAGE_ID_HEADER } from './headers.ts';
import { tracedCall } from './interceptors/tracing.ts';
import { createChannelTransport, type ChannelTransportOptions } from './transport.ts';

export interface RpcClient<S extends DescService> {
  /**
   * Rejects with ConnectError (see fromConnectError). Leaving the loop over a stream early does not end its call, as
   * with any Connect client: abort the signal.
   */
  readonly client: Client<S>;
  /** Connects without a call; see ChannelTransport. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  readonly close: () => void;
}

export function createRpcClient<S extends DescService>(
  service: S,
  options: ChannelTransportOptions,
): RpcClient<S> {
  const { transport, connected, close } = createChannelTransport(service, {
    ...options,
    interceptors: [tracedCall, ...(options.interceptors ?? [])],
  });
  return Object.freeze({ client: createClient(service, transport), connected, close });
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
