/** Reads Prometheus's text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */

export interface ExposedMetric {
  readonly name: string;
  readonly type: string;
  /** Of its samples, without `service` and `le`. */
  readonly labels: ReadonlySet<string>;
  /** Values of the label `service`. */
  readonly services: ReadonlySet<string>;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/;

export function exposedMetrics(text: string): readonly ExposedMetric[] {
  const types = new Map<string, string>();
  const labels = new Map<string, Map<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    if (line === '' || line.startsWith('#')) continue;
    const [, base = '', inBraces = ''] = SAMPLE.exec(line) ?? [];
    // `_count` and the like may also be the end of a metric's own name.
    const full = line.split(/[{ ]/, 1)[0] ?? '';
    const own = types.has(full) ? full : base;
    const seen = labels.get(own) ?? new Map<string, Set<string>>();
    labels.set(own, seen);
    for (const [, label = '', value = ''] of inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      seen.set(label, (seen.get(label) ?? new Set()).add(value));
  }
  return [...types].map(([name, type]) => {
    const seen = labels.get(name) ?? new Map<string, Set<string>>();
    const own = [...seen.keys()].filter((label) => label !== 'service' && label !== 'le');
    return { name, type, labels: new Set(own), services: seen.get('service') ?? new Set() };
  });
}
