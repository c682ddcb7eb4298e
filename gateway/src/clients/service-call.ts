import type { CallOptions } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { callOptions } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { Exchange } from '../http/exchange.ts';
import { RPC_TIMEOUT_MS } from '../limits.ts';

/** The options of a call that is made on behalf of an exchange. */
export function onBehalfOf(
  { requestId, signal }: Pick<Exchange, 'requestId' | 'signal'>,
  token: string | null,
  timeoutMs: number = RPC_TIMEOUT_MS,
): CallOptions {
  return callOptions({ token, requestId, signal, timeoutMs });
}

/**
 * Waits for an RPC. A timeout becomes UNAVAILABLE: only a query has a timeout that its caller chose.
 *
 * @throws PenstockError
 */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const mapped = fromConnectError(error);
    if (mapped.code !== 'TIMEOUT') throw mapped;
    throw new PenstockError('UNAVAILABLE', mapped.message, { retryAfterS: 1, cause: error });
  }
}
