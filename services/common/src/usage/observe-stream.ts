import type { Redis } from 'ioredis';
import type { Metrics } from '../telemetry/metrics.ts';
import { usageStreamKey } from './stream.ts';

/** Says how much usage is recorded and not yet in the daily counters. */
export function observeUsageStream(metrics: Metrics, redis: Pick<Redis, 'xlen'>): void {
  metrics.observe(
    'penstock_usage_stream_entries',
    'Usage entries in the Redis stream, not yet added up.',
    [],
    async () => [{ labels: {}, value: await redis.xlen(usageStreamKey) }],
  );
}
