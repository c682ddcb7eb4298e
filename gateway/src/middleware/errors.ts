import type { ErrorRequestHandler, RequestHandler } from 'express';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { exchangeOf } from '../http/exchange.ts';
import { sendError } from '../http/error-envelopes.ts';
import { mapAndLog } from '../http/to-penstock-error.ts';

/** Answers requests that no route matched. */
export function notFound(): RequestHandler {
  return (request) => {
    const advice = /.\/$/.test(request.path) ? '; write the path without the slash at its end' : '';
    throw new PenstockError('NOT_FOUND', `Not found: ${request.method} ${request.path}${advice}`);
  };
}

/** The closed list has no code for 405. The request is wrong, so it is a VALIDATION_ERROR. */
const refuseInEnvelope: NonNullable<Endpoint['refuseMethod']> = (exchange, message) =>
  sendError(exchange, new PenstockError('VALIDATION_ERROR', message), 405);

/** A known path, another method: 405 with what is allowed (RFC 9110, section 15.5.6). */
export function methodNotAllowed(
  allowed: readonly string[],
  refuse: NonNullable<Endpoint['refuseMethod']> = refuseInEnvelope,
): RequestHandler {
  return (request, response) => {
    response.setHeader('allow', allowed.join(', '));
    const message = `${request.method} is not allowed here; allowed: ${allowed.join(', ')}`;
    refuse(exchangeOf(request), message);
  };
}

/** Every error ends here, and is answered in the envelope of its path. */
export function errorMiddleware(): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const exchange = exchangeOf(request);
    const mapped = mapAndLog(exchange, error);
    if (response.headersSent) response.destroy();
    else sendError(exchange, mapped);
  };
}
