import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentTraceId } from '../telemetry/spans.ts';
import { batchedOutput } from './batched-output.ts';
import { serializeError } from './serialize-error.ts';

/** What we use of a pino logger. `callLogger` for what belongs to one call. */
export interface Logger extends Pick<
  PinoLogger,
  'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'flush' | 'isLevelEnabled'
> {
  child(fields: object): Logger;
  /** Adds fields to all lines from now on. */
  setBindings(fields: object): void;
}

export const LOG_LEVELS = Object.freeze([
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
] as const);
type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that are never written, wherever a caller puts them (top level or one below). */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'refreshToken',
  'internalToken',
  'secret',
  'clientSecret',
  'password',
  'externalId',
  'roleArn',
  'credentials',
  'rows',
];

interface LoggerOptions {
  /** Name of the process, on every line. */
  readonly service: string;
  readonly level: LogLevel;
  /** Standard output where absent, written in batches. */
  readonly destination?: DestinationStream;
}

/** Joins the lines of a trace. An object of its own each time: pino puts the line's fields into it. */
function traceFields(): object {
  const traceId = currentTraceId();
  return traceId === null ? {} : { traceId };
}

/** One JSON object a line, with the ID of the trace under way. Errors go under `err`, with their causes, scrubbed. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: traceFields,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => serializeError(error) },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  };
  return pino(settings, options.destination ?? batchedOutput());
}
