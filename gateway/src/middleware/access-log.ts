import type { RequestHandler } from 'express';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import { inThisTrace } from '@penstock/common/telemetry/spans.ts';
import { exchangeOf } from '../http/exchange.ts';

/** Probes come every few seconds. */
const QUIET = new Set(['/livez', '/readyz']);

/** A line and an observation for every answer, by route: paths hold names. */
export function accessLog(metrics: Metrics): RequestHandler {
  const durations = metrics.histogram(
    'penstock_http_server_duration_seconds',
    'Duration of HTTP requests, by method, route and status.',
    ['method', 'route', 'status'],
  );
  return (request, response, next) => {
    const answered = (): void => {
      const { startedAt, logger, signal } = exchangeOf(request);
      const seconds = (performance.now() - startedAt) / 1000;
      const matched = request.route as { path: string } | undefined;
      const route = matched?.path ?? 'none';
      const status = String(signal.aborted ? 499 : response.statusCode);
      durations.observe({ method: request.method, route, status }, seconds);
      const level = QUIET.has(route) ? 'debug' : 'info';
      logger[level](
        { method: request.method, route, status, durationMs: Math.round(seconds * 1000) },
        'http',
      );
    };
    response.once('close', inThisTrace(answered));
    next();
  };
}
