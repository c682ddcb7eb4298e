import { z } from 'zod';
import { readConfig } from '../config/config.ts';
import type { Logger } from '../logging/logger.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const ratio = z.string().regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1');

/** The variables that are checked here. The SDK reads these and the other OTEL_ variables of its specification. */
export const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be a URL beginning with http:// or https://' })
    .optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: ratio.optional(),
});

export interface Tracing {
  /** Delivers what is left, for FLUSH_MS_MAX at most. Never rejects. */
  close(): Promise<void>;
}

const OFF: Tracing = Object.freeze({ close: () => Promise.resolve() });

/**
 * Registers OpenTelemetry's SDK for this process where OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise the SDK is not
 * even loaded. It registers globally, as it is designed to, so code that makes spans needs no tracer handed in.
 *
 * @throws ConfigError naming a variable that is wrong
 */
export async function startTracing(options: {
  readonly service: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}): Promise<Tracing> {
  const config = readConfig(tracingSettings, options.env);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return OFF;
  const { registerSdk } = await import('./sdk.ts');
  return registerSdk(options.service, options.logger);
}
