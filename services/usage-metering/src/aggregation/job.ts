import type { Logger } from '@penstock/common/logging/logger.ts';
import { QUEUE_NAMES } from '@penstock/common/queue/names.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import { DRAIN_MS_MAX } from '../limits.ts';
import type { Drainer } from './drain.ts';

/** The queue of the aggregation job. */
export const aggregationQueue = QUEUE_NAMES.aggregation;

/**
 * One run of the scheduled job. Never rejects: the next second brings the next run, which is worth more than tries of
 * this one piling up while a store is away.
 */
export function createAggregationJob(options: {
  drainer: Drainer;
  metrics: Metrics;
  logger: Logger;
}): () => Promise<void> {
  const { drainer, metrics, logger } = options;
  const entries = metrics.counter('penstock_usage_drained_total', 'Usage entries taken from the stream', [
    'outcome',
  ]);
  const failures = metrics.counter(
    'penstock_usage_drain_failures_total',
    'Runs that could not drain the whole stream',
  );

  return async () => {
    try {
      const { counted, deadLetters, failedGroups } = await drainer.drain(DRAIN_MS_MAX);
      entries.inc({ outcome: 'counted' }, counted);
      // The label's value is older than the word, and dashboards ask for it.
      entries.inc({ outcome: 'poison' }, deadLetters);
      if (failedGroups > 0) failures.inc();
    } catch (error) {
      failures.inc();
      logger.warn({ err: error }, 'the usage stream could not be drained; the next run tries again');
    }
  };
}
