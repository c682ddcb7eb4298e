import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ConfigError, readConfig } from '../config/config.ts';
import { processSettings } from '../config/settings.ts';
import { createLogger, type Logger } from '../logging/logger.ts';
import { createMetrics, observeProcess, type Metrics } from '../telemetry/metrics.ts';
import { startTracing } from '../telemetry/tracing.ts';
import { startHealthServer } from './health-server.ts';
import { createShutdown } from './shutdown.ts';

/** Hooks that end after the drain (closing connections) get this much more. */
const CLOSING_GRACE_MS = 3_000;
/** How long an ending process waits for its log lines to be read. */
const OUTPUT_GRACE_MS = 3_000;

interface ProcessContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** To be called at SIGTERM or SIGINT, last added first. */
  readonly onShutdown: (hook: () => unknown) => void;
  /** What /readyz answers; false from the start, and again from the signal on. */
  readonly setReady: (ready: boolean) => void;
  readonly isReady: () => boolean;
  /**
   * Adds to what /readyz says: a sentence while something that the process needs is wrong, else null. The process
   * stays ready, since every replica has the same problem, and some requests can still be answered.
   */
  readonly tellProblem: (find: () => string | null) => void;
}

interface ProcessOptions {
  /** On log lines and metrics, e.g. `schema-registry`. */
  readonly name: string;
  /** Builds everything. Returns once the process works; setReady(true) is its own to call. */
  readonly main: (context: ProcessContext) => Promise<void>;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The life of every process of ours: health server, start, signals, drain, end.
 *
 * Ends with 0 after a signal, with 1 after a bad setting, a failed start, an error that nothing caught, or a drain that
 * took too long.
 */
export function runProcess(options: ProcessOptions): void {
  // The edge of the process: errors that come here end it.
  run(options).catch((error: unknown) => {
    const text =
      error instanceof ConfigError ? error.message : `${options.name} could not start: ${String(error)}`;
    process.stderr.write(`${options.name}: ${text}\n`);
    process.exit(1);
  });
}

/** Waits for the lines that were logged. */
async function written(logger: Logger): Promise<void> {
  const flushed = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([flushed, sleep(OUTPUT_GRACE_MS, undefined, { ref: false })]);
}

async function run({ name, main, env = process.env }: ProcessOptions): Promise<void> {
  const config = readConfig(z.object(processSettings), env);
  const logger = createLogger({ service: name, level: config.PENSTOCK_LOG_LEVEL });
  const metrics = createMetrics(name);
  observeProcess(metrics);
  const shutdown = createShutdown(logger);
  let ready = false;
  let ending = false;
  const isReady = (): boolean => ready && !ending;
  const finders: (() => string | null)[] = [];

  const end = async (why: string, exitCode: number): Promise<void> => {
    if (ending) return;
    ending = true;
    logger.info({ why }, 'draining');
    const inTime = await shutdown.run(config.PENSTOCK_DRAIN_TIMEOUT_MS + CLOSING_GRACE_MS);
    if (!inTime) logger.error('the drain took too long; ending with work in flight');
    else logger.info('ended');
    await written(logger);
    process.exit(inTime ? exitCode : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal, 0));
  const fail = (error: unknown): void => {
    logger.fatal({ err: error }, 'an error that nothing caught');
    void end('error', 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  try {
    const tracing = await startTracing({ service: name, env, logger });
    // Ends last: hooks that run before it may still make spans.
    shutdown.onShutdown(() => tracing.close());
    const health = await startHealthServer({
      host: config.PENSTOCK_HOST,
      port: config.PENSTOCK_HEALTH_PORT,
      registry: metrics.registry,
      isReady,
      problems: () => finders.flatMap((find) => find() ?? []),
    });
    shutdown.onShutdown(() => health.close());
    await main({
      logger,
      metrics,
      onShutdown: shutdown.onShutdown,
      setReady: (value) => {
        ready = value;
      },
      isReady,
      tellProblem: (find) => void finders.push(find),
    });
    logger.info({ healthPort: health.port }, 'started');
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${name}: ${error.message}\n`);
    } else {
      logger.fatal({ err: error }, 'could not start');
    }
    await end('start failed', 1);
  }
}
