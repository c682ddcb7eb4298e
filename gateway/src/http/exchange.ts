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

const exchanges = new WeakMap<Request, Exchange>();

/** Ties an exchange to its request, for the handlers that Express calls. */
export function bindExchange(exchange: Exchange): void {
  exchanges.set(exchange.request, exchange);
}

export function exchangeOf(request: Request): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new TypeError('the request did not come through the app');
  return exchange;
}
