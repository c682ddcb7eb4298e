/** OpenTelemetry's SDK, loaded only by processes that trace. Samplers, batches and headers are set by its variables. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostname } from 'node:os';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from '../logging/logger.ts';
import { EXPORT_MS_MAX, FLUSH_MS_MAX } from './limits.ts';
import type { Tracing } from './tracing.ts';

/** ExportResultCode.SUCCESS. Its package is not a dependency of ours. */
const DELIVERED = 0;

/**
 * Logs once that spans cannot be delivered, and once that they can be again. Spans that were not delivered are lost.
 */
function reportingExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let away = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = Number(result.code) !== DELIVERED;
        if (failed && !away)
          logger.warn({ err: result.error }, 'traces cannot be delivered to the collector');
        if (!failed && away) logger.info('traces are delivered to the collector again');
        away = failed;
        // Logged already. The SDK would log it again at each delivery.
        done({ code: DELIVERED });
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** To be called once in a process. */
export function registerSdk(service: string, logger: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ timeoutMillis: EXPORT_MS_MAX });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: service,
      'service.namespace': 'penstock',
      'service.instance.id': `${hostname()}-${process.pid}`,
    }),
    spanProcessors: [new BatchSpanProcessor(reportingExporter(exporter, logger))],
  });
  provider.register();
  return Object.freeze({
    async close() {
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, sleep(FLUSH_MS_MAX, undefined, { ref: false })]);
    },
  });
}
