/** What a worker measures, told to its host once a second: the host's registry has it all. */
import type { CacheLookup } from '../prepare.ts';
import { WORKER_METRICS_EVERY_MS, WORKER_METRIC_VALUES_MAX } from '../limits.ts';
import type { MetricMessage } from '../pipe/messages.ts';

interface Observed {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: number[];
}

export interface ToldMetrics {
  readonly onCacheLookup: CacheLookup;
  /** As far as calls to AWS need a registry. */
  histogram(name: string): {
    observe(labels: Readonly<Record<string, string>>, value: number): void;
  };
}

export function createToldMetrics(tell: (metrics: readonly MetricMessage[]) => void): ToldMetrics {
  const lookups = new Map<string, { cache: string; hit: boolean; count: number }>();
  const observed = new Map<string, Observed>();
  let timer: NodeJS.Timeout | null = null;

  const send = (): void => {
    timer = null;
    const counted = [...lookups.values()].map((each) => ({ metric: 'cacheLookup', ...each }) as const);
    const measured = [...observed.values()].map((each) => ({ metric: 'observed', ...each }) as const);
    lookups.clear();
    observed.clear();
    tell([...counted, ...measured]);
  };
  const soon = (): void => {
    timer ??= setTimeout(send, WORKER_METRICS_EVERY_MS).unref();
  };

  return {
    onCacheLookup(cache, hit) {
      const key = `${cache} ${hit}`;
      const known = lookups.get(key) ?? { cache, hit, count: 0 };
      known.count++;
      lookups.set(key, known);
      soon();
    },
    histogram: (name) => ({
      observe(labels, value) {
        const key = `${name} ${Object.values(labels).join(' ')}`;
        let known = observed.get(key);
        if (known === undefined) observed.set(key, (known = { name, labels, values: [] }));
        known.values.push(value);
        if (known.values.length >= WORKER_METRIC_VALUES_MAX) {
          if (timer !== null) clearTimeout(timer);
          send();
        } else soon();
      },
    }),
  };
}
