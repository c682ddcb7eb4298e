import { expect } from 'chai';
import { parse } from 'yaml';
import { page, pages } from '../../../../services/common/test/repository/support/pages.ts';
import { PROCESSES } from '../documents/support/processes.ts';
import { allows, type End } from './support/network-policy.ts';
import {
  environments,
  OWN_NETWORK,
  renderChart,
  renderValues,
  type Manifest,
  type Values,
} from './support/render.ts';

const NAMESPACE = 'penstock';
const GRPC = 9000;
const REDIS = 6379;
/** One of DynamoDB's public addresses. */
const AWS = outside('52.94.10.20');

function outside(address: string): End {
  return { address, labels: null, namespace: '', ports: {} };
}

const foreign = (namespace: string): End => ({
  address: '10.1.2.3',
  labels: { app: 'other' },
  namespace,
  ports: {},
});

/** What a container of the chart is to a policy. */
interface Workload {
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly containers: readonly [
        { readonly ports: readonly { readonly name: string; readonly containerPort: number }[] },
      ];
    };
  };
}

describe('the chart’s network policies', function () {
  this.timeout(300_000);
  let manifests: readonly Manifest[];
  let targets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  before(async () => {
    manifests = await renderChart();
    targets = environments(manifests, {});
  });

  const pod = (component: string, of = manifests): End => {
    const workload = of.find(
      ({ kind, metadata }) =>
        /^(Deployment|StatefulSet)$/.test(kind) && metadata.name === `prod-${component}`,
    );
    if (workload === undefined) throw new Error(`There is no ${component}`);
    const { metadata, spec } = (workload.spec as Workload).template;
    const ports = spec.containers[0].ports.map(({ name, containerPort }) => [name, containerPort] as const);
    return {
      address: '10.1.0.9',
      labels: metadata.labels,
      namespace: NAMESPACE,
      ports: Object.fromEntries(ports),
    };
  };
  const isAllowed = (from: End, to: End, port: number, of = manifests) =>
    allows(of, NAMESPACE, { from, to, port });

  /** The component that one of the _TARGET settings of another names. */
  const named = (component: string, setting: string): string => {
    const target = targets[component]?.[setting] ?? '';
    const [, name, port] = /^dns:\/\/\/prod-([a-z-]+)\.penstock:(\d+)$/.exec(target) ?? [];
    expect(port, `${component} ${setting} ${target}`).to.equal(String(GRPC));
    return name ?? '';
  };
  /** `from to`, as the settings that each process reads have it. */
  const calls = () =>
    Object.entries(PROCESSES).flatMap(([component, { shape }]) =>
      Object.keys(shape)
        .filter((setting) => setting.endsWith('_TARGET'))
        .map((setting) => `${component} ${named(component, setting)}`),
    );
  /** Components that pages have operators run the admin CLI in; it calls auth, the registry and Redis. */
  const consoles = () => {
    const texts = [...pages().map(({ text }) => text), page('deploy/helm/templates/NOTES.txt')].join('\n');
    return [...new Set([...texts.matchAll(/exec deploy\/prod-([a-z-]+) --/g)].map(([, name = '']) => name))];
  };

  it('let every component call those that its settings name, and operators’ commands theirs, and no other', () => {
    expect(consoles()).to.deep.equal(['auth']);
    const wanted = [
      ...calls(),
      ...consoles().flatMap((name) => [
        `${name} ${named(name, 'PENSTOCK_AUTH_TARGET')}`,
        `${name} ${named(name, 'PENSTOCK_REGISTRY_TARGET')}`,
      ]),
    ];
    const names = Object.keys(PROCESSES);
    const served = names.filter((name) => 'grpc' in pod(name).ports);
    expect(served).to.have.length(4);
    const allowed = names.flatMap((from) =>
      served.filter((to) => isAllowed(pod(from), pod(to), GRPC)).map((to) => `${from} ${to}`),
    );
    expect(allowed.sort()).to.deep.equal([...new Set(wanted)].sort());
  });

  it('let no other pod call a service, not even one of the same namespace', () => {
    for (const name of ['auth', 'schema-registry', 'usage-metering', 'query-engine'])
      for (const namespace of [NAMESPACE, 'monitoring', 'ingress-nginx', 'default'])
        expect(isAllowed(foreign(namespace), pod(name), GRPC), `${namespace} ${name}`).to.equal(false);
  });

  it('let every component look up names and reach Redis, and those that have one an AWS region', () => {
    const redis = foreign('redis');
    for (const [name, { shape }] of Object.entries(PROCESSES)) {
      for (const protocol of ['TCP', 'UDP'] as const) {
        const lookup = { from: pod(name), to: foreign('kube-system'), port: 53, protocol };
        expect(allows(manifests, NAMESPACE, lookup), `${name} ${protocol}`).to.equal(true);
      }
      expect('PENSTOCK_REDIS_URL' in shape, name).to.equal(true);
      expect(isAllowed(pod(name), redis, REDIS), name).to.equal(true);
      for (const other of [
        foreign('default'),
        foreign(NAMESPACE),
        outside('10.0.0.1'),
        outside('203.0.113.9'),
      ])
        expect(isAllowed(pod(name), other, REDIS), `${name} ${other.namespace}${other.address}`).to.equal(
          false,
        );
      if ('PENSTOCK_CONTROL_REGION' in shape) expect(isAllowed(pod(name), AWS, 443), name).to.equal(true);
      for (const address of ['10.0.0.1', '169.254.169.254', '192.168.1.1'])
        expect(isAllowed(pod(name), outside(address), 80), `${name} ${address}`).to.equal(false);
      // Private, shared (RFC 6598: pods and nodes of some clouds have these) and link-local ones.
      for (const address of [
        '10.0.0.1',
        '172.31.0.1',
        '192.168.1.1',
        '100.64.0.1',
        '100.127.255.254',
        '169.254.169.254',
      ])
        expect(isAllowed(pod(name), outside(address), 443), `${name} ${address}`).to.equal(false);
    }
  });

  it('let Prometheus read every component’s metrics, and nobody else', () => {
    for (const name of Object.keys(PROCESSES)) {
      const { health = 0 } = pod(name).ports;
      expect(isAllowed(foreign('monitoring'), pod(name), health), name).to.equal(true);
      expect(isAllowed(foreign('default'), pod(name), health), name).to.equal(false);
    }
  });

  it('let nobody in where a list of who may come is empty, which by Kubernetes’ rules would be everybody', async () => {
    const unread = await renderChart({ networkPolicy: { metricsFrom: [] } });
    const { health = 0 } = pod('auth', unread).ports;
    for (const from of [foreign('monitoring'), foreign('default'), outside('203.0.113.9')])
      expect(isAllowed(from, pod('auth', unread), health, unread)).to.equal(false);
  });

  it('are not made before the values say who may reach the gateway, and where Redis is', async () => {
    const refused = (values: Values) =>
      renderValues(values).then(
        () => '',
        (error: Error) => error.message,
      );
    const { gatewayFrom, redisTo } = OWN_NETWORK;
    expect(await refused({ networkPolicy: { redisTo } })).to.include('networkPolicy.gatewayFrom');
    expect(await refused({ networkPolicy: { gatewayFrom } })).to.include('networkPolicy.redisTo');
    expect(await refused({ networkPolicy: { gatewayFrom, redisTo } })).to.equal('');
    expect(await refused({ networkPolicy: { enabled: false } })).to.equal('');
  });

  it('let name lookups go only where the values say, if they do', async () => {
    const dnsTo = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }];
    const narrowed = await renderChart({ networkPolicy: { dnsTo } });
    const lookup = (to: End) => isAllowed(pod('auth', narrowed), to, 53, narrowed);
    expect([lookup(foreign('kube-system')), lookup(outside('203.0.113.9'))]).to.deep.equal([true, false]);
  });

  it('let only those reach the gateway whom the values name', async () => {
    const { http = 0 } = pod('gateway').ports;
    expect(isAllowed(foreign('ingress'), pod('gateway'), http)).to.equal(true);
    for (const from of [outside('203.0.113.9'), foreign('default'), foreign(NAMESPACE)])
      expect(isAllowed(from, pod('gateway'), http)).to.equal(false);
    const blocks = [...page('deploy/helm/README.md').matchAll(/```yaml\n([\s\S]*?)```/g)];
    const shown = blocks.map(([, text = '']) => parse(text) as Values);
    const [behindIngress, openedUp] = shown.filter((values) => 'networkPolicy' in values);
    const closed = await renderValues(behindIngress ?? {});
    const { ports } = pod('gateway', closed);
    expect(isAllowed(foreign('ingress-nginx'), pod('gateway', closed), ports['http'] ?? 0, closed)).to.equal(
      true,
    );
    expect(isAllowed(outside('203.0.113.9'), pod('gateway', closed), ports['http'] ?? 0, closed)).to.equal(
      false,
    );
    const opened = await renderChart(openedUp);
    const engine = pod('query-engine', opened);
    expect(isAllowed(engine, foreign('monitoring'), 4318, opened)).to.equal(true);
    expect(isAllowed(engine, outside('10.0.128.7'), 443, opened)).to.equal(true);
    expect(isAllowed(engine, outside('169.254.170.23'), 80, opened)).to.equal(true);
    expect(isAllowed(pod('query-engine'), foreign('monitoring'), 4318)).to.equal(false);
  });
});
