import type { RequestHandler } from 'express';
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import { extractHttp } from '@penstock/common/telemetry/propagation.ts';
import { beginTrace } from '@penstock/common/telemetry/spans.ts';
import { exchangeOf } from '../http/exchange.ts';

/** Probes come every few seconds. */
const UNTRACED = new Set(['/livez', '/readyz']);

/** Continues the trace that the caller sends (W3C trace context), or begins one. */
export function traced(): RequestHandler {
  return (request, response, next) => {
    const { requestId, signal } = exchangeOf(request);
    const { method } = request;
    const attributes = () => ({ [ATTRIBUTES.httpMethod]: method, [ATTRIBUTES.requestId]: requestId });
    const span = UNTRACED.has(request.path)
      ? null
      : beginTrace(method, { attributes }, extractHttp(request.headers));
    if (span === null) {
      next();
      return;
    }
    response.once('close', () => {
      // The route is known only now. The path is not used: it may hold names.
      const matched = request.route as { path: string } | undefined;
      const status = signal.aborted ? 499 : response.statusCode;
      span.add({ [ATTRIBUTES.httpStatus]: status });
      if (matched !== undefined) {
        span.rename(`${method} ${matched.path}`);
        span.add({ [ATTRIBUTES.httpRoute]: matched.path });
      }
      if (status >= 500) span.failed(String(status));
      span.end();
    });
    span.run(next);
  };
}
