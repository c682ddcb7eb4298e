import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { composeConfig, type ComposeFile } from '../docker/support/compose.ts';
import { renderChart } from '../helm/support/render.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import { ALERTS, ATTRIBUTE_NAMES, FOLDER, METRICS, SPAN_NAMES } from './support/documented.ts';

const text = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const yaml = <T>(file: string): T => parse(text(file)) as T;

/** What PromQL gives a metric's name as, by its type. */
const SERIES = new Set(
  METRICS.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

/** Words of an expression that are names of series, its label matchers left out. */
function seriesIn(expression: string): readonly string[] {
  return expression.replaceAll(/\{[^}]*\}/g, '').match(/\b(penstock|process|nodejs)_\w+/g) ?? [];
}

interface Selector {
  readonly metric: string;
  readonly label: string;
}

function selectorsIn(expression: string): readonly Selector[] {
  return [...expression.matchAll(/\b(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => ({ metric, label })),
  );
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly datasource?: { readonly uid: string };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

describe('the files of deploy/observability', () => {
  const rules = yaml<Rules>('prometheus/rules.yml').groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(text('grafana/dashboards/penstock.json')) as Dashboard;
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];

  it('list every span of queries and every attribute that the code has, and no other', () => {
    expect(ATTRIBUTE_NAMES).to.have.members(Object.values(ATTRIBUTES));
    expect(SPAN_NAMES.filter((name) => /^(query|postgres)\./.test(name))).to.have.members(
      Object.values(SPANS),
    );
  });

  it('ask only for metrics that are listed', () => {
    const asked = expressions.flatMap(seriesIn);
    expect(asked).to.have.length.above(30);
    for (const name of asked) expect(SERIES.has(name), name).to.equal(true);
  });

  it('match only labels that the metric has', () => {
    const known = (metric: string): readonly string[] => {
      const found = METRICS.find(({ name }) =>
        [name, `${name}_bucket`, `${name}_sum`, `${name}_count`].includes(metric),
      );
      return [...(found?.labels ?? []), 'service', 'job', 'instance', 'le'];
    };
    const selectors = expressions.flatMap(selectorsIn);
    expect(selectors).to.have.length.above(10);
    for (const { metric, label } of selectors) expect(known(metric), metric).to.include(label);
  });

  it('show every metric of ours in the dashboard', () => {
    const shown = new Set(
      dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => seriesIn(expr))),
    );
    for (const { name } of METRICS.filter((metric) => metric.name.startsWith('penstock_'))) {
      const any = [name, `${name}_bucket`, `${name}_count`].some((series) => shown.has(series));
      expect(any, name).to.equal(true);
    }
  });

  it('have alerts that the page says what to do about, each with a severity and a summary', () => {
    expect(rules.map(({ alert }) => alert)).to.deep.equal(ALERTS);
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).to.include(labels['severity']);
      expect(annotations['summary'], alert).to.be.a('string').and.not.equal('');
    }
  });

  it('have alerts that promtool’s unit tests see quiet and see firing', () => {
    interface UnitTests {
      readonly tests: readonly {
        readonly alert_rule_test: readonly {
          readonly alertname: string;
          readonly exp_alerts?: readonly object[];
        }[];
      }[];
    }
    const { tests } = parse(readFileSync(join(import.meta.dirname, 'rules.test.yml'), 'utf8')) as UnitTests;
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const quiet = cases.filter(({ exp_alerts }) => exp_alerts === undefined);
    const firing = cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0);
    for (const some of [quiet, firing])
      expect(some.map(({ alertname }) => alertname)).to.have.members(ALERTS);
  });

  it('have a dashboard whose panels are told apart and read a source that is provisioned', () => {
    const { datasources } = yaml<{ datasources: readonly { uid: string; url: string }[] }>(
      'grafana/provisioning/datasources/penstock.yaml',
    );
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { type, title, datasource } of dashboard.panels) {
      if (type !== 'row')
        expect(
          datasources.map(({ uid }) => uid),
          title,
        ).to.include(datasource?.uid);
    }
  });

  it('have a collector whose pipeline uses what is configured, and all of it', () => {
    interface Collector {
      readonly receivers: object;
      readonly processors: object;
      readonly exporters: Readonly<Record<string, { readonly endpoint: string }>>;
      readonly service: {
        readonly pipelines: { readonly traces: Readonly<Record<string, readonly string[]>> };
      };
    }
    const { receivers, processors, exporters, service } = yaml<Collector>('otel-collector.yaml');
    const { traces } = service.pipelines;
    expect(traces['receivers']).to.have.members(Object.keys(receivers));
    expect(traces['processors']).to.have.members(Object.keys(processors));
    expect(traces['exporters']).to.have.members(Object.keys(exporters));
    // The exporter's address is where Tempo listens.
    const tempo = yaml<{
      distributor: { receivers: { otlp: { protocols: { grpc: { endpoint: string } } } } };
    }>('tempo.yaml');
    const port = tempo.distributor.receivers.otlp.protocols.grpc.endpoint.split(':')[1];
    expect(exporters['otlp_grpc/tempo']?.endpoint).to.equal(`tempo:${port}`);
  });

  it('have a job for Kubernetes that keeps one target of each pod of the chart, under the name that alerts know', async () => {
    interface Scraping {
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly relabel_configs: readonly {
          readonly source_labels: readonly string[];
          readonly regex?: string;
          readonly action?: string;
        }[];
      }[];
    }
    interface Pods {
      readonly template: {
        readonly metadata: { readonly labels: Readonly<Record<string, string>> };
        readonly spec: {
          readonly containers: readonly { readonly ports: readonly { readonly name: string }[] }[];
        };
      };
    }
    const [, block = ''] = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(text('README.md')) ?? [];
    const [job] = (parse(block) as Scraping).scrape_configs;
    const [ofDocker] = yaml<Scraping>('prometheus/prometheus.yml').scrape_configs;
    expect(job?.job_name).to.equal(ofDocker?.job_name);
    expect(rules.map(({ expr }) => expr).join()).to.include(`{job="${job?.job_name}"}`);
    const manifests = await renderChart();
    const pods = manifests.filter(({ kind }) => /^(Deployment|StatefulSet)$/.test(kind));
    expect(pods).to.have.length(8);
    for (const { metadata, spec } of pods) {
      const { template } = spec as Pods;
      const targets = template.spec.containers.flatMap(({ ports }) =>
        ports.map(({ name }) => ({
          ...Object.fromEntries(
            Object.entries(template.metadata.labels).map(([label, value]) => [
              `__meta_kubernetes_pod_label_${label.replaceAll(/\W/g, '_')}`,
              value,
            ]),
          ),
          __meta_kubernetes_pod_container_port_name: name,
        })),
      ) as readonly Readonly<Record<string, string>>[];
      const keeps = (job?.relabel_configs ?? []).filter(({ action }) => action === 'keep');
      const kept = targets.filter((target) =>
        keeps.every(({ source_labels, regex }) => target[source_labels[0] ?? ''] === regex),
      );
      expect(kept, metadata.name).to.have.length(1);
    }
  });

  describe('as a layer over docker-compose.yml', () => {
    const OWN = [
      'auth',
      'gateway',
      'postgres',
      'query-engine',
      'schema-registry',
      'schema-worker',
      'usage-metering',
      'usage-worker',
    ];
    const ADDED = ['grafana', 'otel-collector', 'prometheus', 'tempo'];
    let compose: ComposeFile;
    before(async () => {
      compose = await composeConfig(['docker-compose.yml', 'deploy/observability/docker-compose.yml']);
    });

    it('are valid, pinned and read-only', () => {
      for (const name of ADDED) {
        const service = compose.services[name];
        expect(service?.image, name).to.match(/:v?\d+\.\d+\.\d+$/);
        expect(service, name).to.include({ read_only: true });
        expect(service?.cap_drop, name).to.deep.equal(['ALL']);
      }
    });

    it('turn on the traces of every service, and leave the rest of it as it was', () => {
      for (const name of OWN) {
        expect(compose.services[name]?.environment, name).to.include({
          OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
          PENSTOCK_REDIS_URL: 'redis://redis:6379',
        });
      }
    });

    it('read the metrics of every service', () => {
      interface Prometheus {
        readonly rule_files: readonly string[];
        readonly scrape_configs: readonly {
          readonly dns_sd_configs: readonly { readonly names: readonly string[] }[];
        }[];
      }
      const { rule_files, scrape_configs } = yaml<Prometheus>('prometheus/prometheus.yml');
      expect(rule_files).to.deep.equal(['rules.yml']);
      expect(
        scrape_configs.flatMap((job) => job.dns_sd_configs.flatMap(({ names }) => names)),
      ).to.have.members(OWN);
    });
  });
});
