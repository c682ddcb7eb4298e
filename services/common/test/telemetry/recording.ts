/**
 * Tracing for tests of this process. OpenTelemetry's registration is the process's own, and a tracer keeps the first
 * provider that it found: so there is one for all tests, whose context is on only while a test records.
 */
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';

const exporter = new InMemorySpanExporter();
let provider: NodeTracerProvider | null = null;

export interface Recording {
  /** Those that have ended, in that order. */
  spans(): readonly ReadableSpan[];
  named(name: string): ReadableSpan;
  stop(): void;
}

export function record(): Recording {
  provider ??= new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  exporter.reset();
  return {
    spans: () => exporter.getFinishedSpans(),
    named: (name) => {
      const found = exporter.getFinishedSpans().find((span) => span.name === name);
      if (found === undefined) {
        const names = exporter.getFinishedSpans().map((span) => span.name);
        throw new Error(`no span ${name} among ${names.join(', ')}`);
      }
      return found;
    },
    stop() {
      trace.disable();
      context.disable();
      propagation.disable();
      exporter.reset();
    },
  };
}
