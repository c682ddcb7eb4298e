import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** From a cache hit to the longest query, in seconds. */
export const DURATION_BUCKETS_S: readonly number[] = Object.freeze([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
]);

/** The metrics of one process. Asking for a name twice gives the same metric. */
export interface Metrics {
  readonly registry: Registry;
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  /** Buckets default to DURATION_BUCKETS_S. */
  histogram<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Histogram<L>;
}

/** Names should begin with `penstock_` and end in their unit (`_seconds`, `_total`). */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const known = new Map<string, Counter<string> | Gauge<string> | Histogram<string>>();
  const once = <M extends Counter<string> | Gauge<string> | Histogram<string>>(
    name: string,
    make: () => M,
  ): M => {
    const metric = known.get(name) ?? make();
    known.set(name, metric);
    return metric as M;
  };
  return Object.freeze({
    registry,
    counter: <L extends string>(name: string, help: string, labels: readonly L[] = []): Counter<L> =>
      once(name, () => new Counter({ name, help, labelNames: [...labels], registers })),
    gauge: <L extends string>(name: string, help: string, labels: readonly L[] = []): Gauge<L> =>
      once(name, () => new Gauge({ name, help, labelNames: [...labels], registers })),
    histogram: <L extends string>(
      name: string,
      help: string,
      labels: readonly L[] = [],
      buckets: readonly number[] = DURATION_BUCKETS_S,
    ): Histogram<L> =>
      once(
        name,
        () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
      ),
  });
}

/** Adds memory, CPU, event loop and garbage collection of this process; once for each process. */
export function observeProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
}
