import type { Metrics } from '../telemetry/metrics.ts';
import type { OwedEvents } from './owed.ts';

/** Says how much usage is in memory only, because neither Redis nor the disk took it; nobody is let in meanwhile. */
export function observeOwed(metrics: Metrics, owed: Pick<OwedEvents, 'count'>): void {
  metrics.observe(
    'penstock_usage_owed_events',
    'Usage that neither Redis nor the disk takes; queries are refused meanwhile.',
    [],
    () => [{ labels: {}, value: owed.count }],
  );
}
