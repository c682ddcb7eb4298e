import type { Request, Response } from 'express';
import type { Logger } from '@penstock/common/logging/logger.ts';

/** One HTTP request with its response, and what handlers need of them. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly logger: Logger;
  /** Aborts when the client goes away before the answer is sent. */
  readonly signal: AbortSignal;
  /** When it began, by performance.now(). */
  readonly startedAt: number;
}

/**
 * Where a request has its exchange. Not in a WeakMap: what an old one holds lives until a full garbage collection, so
 * that whatever belongs to a request would outlive it, and be copied by each scavenge.
 */
const EXCHANGE = Symbol('exchange');

type Bound = Request & { [EXCHANGE]?: Exchange };

/** Ties an exchange to its request, for the handlers that Express calls. */
export function bindExchange(exchange: Exchange): void {
  (exchange.request as Bound)[EXCHANGE] = exchange;
}

export function exchangeOf(request: Request): Exchange {
  const exchange = (request as Bound)[EXCHANGE];
  if (exchange === undefined) throw new TypeError('the request did not come through the app');
  return exchange;
}
