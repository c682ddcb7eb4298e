import type { Queue } from 'bullmq';
import type { Metrics } from '../telemetry/metrics.ts';

/** `failed`: jobs out of attempts, the dead letters. `delayed`: also those that wait for their next attempt. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Reports how many jobs a queue has, by state. Every process that knows the queue reports the same. */
export function observeQueue(metrics: Metrics, queue: Pick<Queue, 'name' | 'getJobCounts'>): void {
  metrics.observe(
    'penstock_queue_jobs',
    'Jobs of a queue by state; failed ones are dead letters.',
    ['queue', 'state'],
    async () => {
      // BullMQ counts those that have a priority apart.
      const { prioritized = 0, ...counts } = await queue.getJobCounts(...STATES, 'prioritized');
      return STATES.map((state) => ({
        labels: { queue: queue.name, state },
        value: (counts[state] ?? 0) + (state === 'waiting' ? prioritized : 0),
      }));
    },
  );
}
