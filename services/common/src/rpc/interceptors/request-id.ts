import type { Interceptor } from '@connectrpc/connect';
import { requestIdFrom } from '../../ids/request-id.ts';
import { callLogger } from '../../logging/call-logger.ts';
import type { Logger } from '../../logging/logger.ts';
import { loggerKey, requestIdKey } from '../call-context.ts';
import { REQUEST_ID_HEADER } from '../headers.ts';

/** Gives the call its request ID (the caller's, or a new one) and a logger that writes it. */
export function requestIdInterceptor(logger: Logger): Interceptor {
  return (next) => (request) => {
    const requestId = requestIdFrom(request.header.get(REQUEST_ID_HEADER));
    request.contextValues.set(requestIdKey, requestId);
    request.contextValues.set(loggerKey, callLogger(logger, { requestId }));
    return next(request);
  };
}
