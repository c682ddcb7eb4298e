import type { RequestHandler } from 'express';
import { requestIdFrom } from '@penstock/common/ids/request-id.ts';
import { callLogger } from '@penstock/common/logging/call-logger.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { REQUEST_ID_HEADER } from '@penstock/common/rpc/headers.ts';
import { bindExchange } from '../http/exchange.ts';

/** Begins the exchange: its request ID is on every answer from here on. */
export function beginExchange(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdFrom(request.get(REQUEST_ID_HEADER));
    response.setHeader(REQUEST_ID_HEADER, requestId);
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    bindExchange({
      request,
      response,
      requestId,
      logger: callLogger(logger, { requestId }),
      signal: gone.signal,
      startedAt: performance.now(),
    });
    next();
  };
}
