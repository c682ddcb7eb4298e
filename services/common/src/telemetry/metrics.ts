import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { EVENT_LOOP_LOOK_MS, OBSERVE_MS_MAX } from './limits.ts';

/** From a cache hit to the longest query, in seconds. */
const DURATION_BUCKETS_S: readonly number[] = Object.freeze([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
]);

/** One value of a gauge. */
interface Observation<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

/** Finds a gauge's values when they are asked for. */
type Observe<L extends string> = () => readonly Observation<L>[] | Promise<readonly Observation<L>[]>;

/** The metrics of one process. Asking for a name twice gives the same metric. */
export interface Metrics {
  readonly registry: Registry;
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  /**
   * A gauge whose values are found at each scrape. Several observers may share one gauge. Where one fails or takes
   * longer than OBSERVE_MS_MAX, only its values are missing from that scrape.
   */
  observe<L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[],
    observe: Observe<L>,
  ): void;
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
  const observers = new Map<string, Observe<string>[]>();
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
    observe: <L extends string>(
      name: string,
      help: string,
      labels: readonly L[],
      observe: Observe<L>,
    ): void => {
      const all = observers.get(name) ?? [];
      observers.set(name, [...all, observe]);
      once(
        name,
        () =>
          new Gauge<string>({
            name,
            help,
            labelNames: [...labels],
            registers,
            async collect() {
              const found = await Promise.all((observers.get(name) ?? []).map(observed));
              this.reset();
              // Without labels, reset leaves a zero that nobody has seen.
              if (labels.length === 0) this.remove();
              for (const { labels: own, value } of found.flat()) this.set(own, value);
            },
          }),
      );
    },
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

async function observed<L extends string>(observe: Observe<L>): Promise<readonly Observation<L>[]> {
  const timer = new AbortController();
  const late = sleep(OBSERVE_MS_MAX, [], { signal: timer.signal, ref: false });
  late.catch(() => undefined);
  const values = (async () => observe())().catch(() => []);
  try {
    return await Promise.race([values, late]);
  } finally {
    timer.abort();
  }
}

/** Adds memory, CPU, event loop and garbage collection of this process; once for each process. */
export function observeProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
}
