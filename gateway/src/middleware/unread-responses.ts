import type { RequestHandler } from 'express';
import { exchangeOf, type Exchange } from '../http/exchange.ts';
import { RESPONSE_CHECK_MS, RESPONSE_GRACE_MS, RESPONSE_MIN_BYTES_PER_S } from '../limits.ts';

interface UnreadResponseLimits {
  /** Between two looks at what is waiting. */
  readonly checkMs: number;
  /** Nobody is cut off before this long. */
  readonly graceMs: number;
  /** The least average rate at which a client must read. */
  readonly minBytesPerS: number;
}

/** A response that has bytes waiting for the client. */
interface Waiting {
  readonly sinceMs: number;
  /** Bytes sent on the connection before, without those that were waiting. */
  readonly bytesBefore: number;
}

/**
 * Ends connections whose client does not read its response, or reads it a byte at a time: the response would stay in
 * memory as long as the client likes. A larger response has more time, also while it is still being written.
 */
export function endUnreadResponses(
  { checkMs, graceMs, minBytesPerS }: UnreadResponseLimits = {
    checkMs: RESPONSE_CHECK_MS,
    graceMs: RESPONSE_GRACE_MS,
    minBytesPerS: RESPONSE_MIN_BYTES_PER_S,
  },
): RequestHandler {
  const open = new Map<Exchange, Waiting | null>();
  let timer: NodeJS.Timeout | null = null;

  const look = (exchange: Exchange, waiting: Waiting | null): void => {
    const { request, response, logger } = exchange;
    const { socket } = request;
    const pending = response.writableLength;
    if (pending === 0) {
      open.set(exchange, null);
      return;
    }
    const now = performance.now();
    const since = waiting ?? { sinceMs: now, bytesBefore: socket.bytesWritten - pending };
    open.set(exchange, since);
    const bytes = Math.max(pending, socket.bytesWritten - since.bytesBefore);
    if (now - since.sinceMs <= graceMs + (bytes / minBytesPerS) * 1_000) return;
    logger.info({ pendingBytes: pending }, 'nobody reads the response; the connection is ended');
    socket.destroy();
  };

  return (request, response, next) => {
    const exchange = exchangeOf(request);
    open.set(exchange, null);
    timer ??= setInterval(() => open.forEach((waiting, each) => look(each, waiting)), checkMs);
    response.once('close', () => {
      open.delete(exchange);
      if (open.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    });
    next();
  };
}
