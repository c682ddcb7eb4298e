import type { Redis } from 'ioredis';
import type { Metrics } from '../telemetry/metrics.ts';
import { usageDeadLettersKey, usageStreamKey } from './stream.ts';

/** Reports how many usage entries are not yet in the daily counters, and how many are dead letters. */
export function observeUsageStream(metrics: Metrics, redis: Pick<Redis, 'xlen'>): void {
  metrics.observe(
    'penstock_usage_stream_entries',
    'Usage entries in the Redis stream, not yet added up.',
    [],
    async () => [{ labels: {}, value: await redis.xlen(usageStreamKey) }],
  );
  metrics.observe(
    'penstock_usage_set_aside_entries',
    'Usage entries that are dead letters: they cannot be counted, and wait for somebody to look at them.',
    [],
    async () => [{ labels: {}, value: await redis.xlen(usageDeadLettersKey) }],
  );
}
