import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ALL_SERVERS_BYTES_MAX } from '../../../../gateway/src/postgres/servers/limits.ts';
import { ROOT } from '../docker/support/image.ts';
import { faultsOf } from './support/kubernetes-schema.ts';
import { CHART, helm, renderChart, type Manifest, type Values } from './support/render.ts';

const COMPONENTS = [
  'auth',
  'gateway',
  'postgres',
  'query-engine',
  'schema-registry',
  'schema-worker',
  'usage-metering',
  'usage-worker',
];

/** The parts of a workload that the tests look at. */
interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly securityContext: object;
        readonly shareProcessNamespace?: boolean;
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly image: string;
          readonly env: readonly {
            readonly name: string;
            readonly value?: string;
            readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
          }[];
          readonly resources: { readonly limits: { readonly memory: string } };
          readonly securityContext: object;
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        }[];
      };
    };
  };
}

/** What a pod mounts. */
interface Pod {
  readonly containers: readonly {
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string };
    readonly ephemeral?: {
      readonly volumeClaimTemplate: {
        readonly spec: { readonly resources: { readonly requests: { readonly storage: string } } };
      };
    };
  }[];
}

describe('the Helm chart', () => {
  let manifests: readonly Manifest[];
  before(async function () {
    this.timeout(60_000);
    manifests = await renderChart();
  });

  const workloads = (of = manifests) =>
    of.filter(
      ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
    ) as unknown as readonly Workload[];
  const named = (kind: string, name: string, of = manifests) =>
    of.find((manifest) => manifest.kind === kind && manifest.metadata.name === `prod-${name}`);
  const container = (workload: Workload) => workload.spec.template.spec.containers[0]!;

  const variants: Readonly<Record<string, Values>> = {
    'as it is': {},
    'without autoscaling, budgets and policies': {
      autoscaling: { enabled: false },
      podDisruptionBudget: { enabled: false },
      networkPolicy: { enabled: false },
    },
    'with an ingress, traces and a policy for it': {
      ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' } },
      settings: { otlpEndpoint: 'http://collector:4318' },
      networkPolicy: {
        gatewayFrom: [{ namespaceSelector: { matchLabels: { a: 'b' } } }],
        extraEgress: [{ ports: [{ port: 4318 }] }],
      },
    },
    'with pull secrets, a storage class and nodes of their own': {
      image: { pullSecrets: [{ name: 'registry' }], tag: '1.2.3' },
      spool: { storageClassName: 'gp3' },
      nodeSelector: { pool: 'penstock' },
      tolerations: [{ key: 'pool', operator: 'Exists', effect: 'NoSchedule' }],
    },
  };
  for (const [what, values] of Object.entries(variants))
    it(`renders what Kubernetes takes, ${what}`, async () => {
      const rendered = await renderChart(values);
      expect(rendered).to.have.length.above(18);
      for (const manifest of rendered)
        expect(faultsOf(manifest), `${manifest.kind} ${manifest.metadata.name}`).to.deep.equal([]);
    });

  it('gives what queries spill a volume apart from the usage that waits, as large as the setting allows', async () => {
    const rendered = await renderChart({ settings: { queryTempMb: 2048 } });
    const spilling = workloads(rendered).filter((workload) => JSON.stringify(workload).includes('"spill"'));
    expect(spilling.map(({ metadata }) => metadata.name)).to.deep.equal(['prod-query-engine']);
    const pod = spilling[0]?.spec.template.spec as unknown as Pod;
    const mounts = pod.containers[0]?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]);
    expect(mounts).to.deep.include.members([
      ['data', '/var/lib/penstock'],
      ['spill', '/var/lib/penstock/spill'],
    ]);
    const volume = pod.volumes.find(({ name }) => name === 'spill');
    expect(volume?.ephemeral?.volumeClaimTemplate.spec.resources.requests.storage).to.equal('3072Mi');
  });

  it('gives the files of PostgreSQL servers a volume apart from the usage that waits, which goes with the pod', () => {
    const mounting = workloads().filter((workload) => JSON.stringify(workload).includes('"servers"'));
    expect(mounting.map(({ metadata }) => metadata.name)).to.deep.equal(['prod-postgres']);
    const pod = mounting[0]?.spec.template.spec as unknown as Pod;
    const mounts = pod.containers[0]?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]);
    expect(mounts).to.deep.include.members([
      ['data', '/var/lib/penstock'],
      ['servers', '/var/lib/penstock/servers'],
    ]);
    expect(pod.volumes).to.deep.include({ name: 'servers', emptyDir: {} });
  });

  it('gives processes of PostgreSQL servers that are killed a parent that takes note of their end', () => {
    // Node.js as the first process of a container takes none of other processes': four were left for each such server.
    for (const { metadata, spec } of workloads())
      expect(spec.template.spec.shareProcessNamespace, metadata.name).to.equal(
        metadata.name === 'prod-postgres' ? true : undefined,
      );
  });

  it('gives PostgreSQL endpoints memory for all their servers, and 1 GiB besides', () => {
    const { resources } = container(named('StatefulSet', 'postgres') as unknown as Workload);
    expect(resources.limits.memory).to.equal(`${1 + ALL_SERVERS_BYTES_MAX / 2 ** 30}Gi`);
  });

  it('passes Helm’s own linter', async () => {
    const needed = ['gatewayFrom', 'redisTo'].map(
      (name) => `networkPolicy.${name}[0].ipBlock.cidr=10.0.0.0/8`,
    );
    const said = await helm('lint', CHART, '--strict', '--set', needed.join(','));
    expect(said).to.contain('1 chart(s) linted, 0 chart(s) failed');
  });

  it('has a schema that knows every value, so that Helm refuses any other instead of doing nothing', async () => {
    interface Schema {
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly additionalProperties?: boolean | Schema;
    }
    const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as Schema;
    const defaults = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as Values;
    const closed = ({ properties = {}, additionalProperties }: Schema, path: string): readonly string[] =>
      additionalProperties === false
        ? Object.entries(properties).flatMap(([name, inner]) => [
            `${path}${name}`,
            ...closed(inner, `${path}${name}.`),
          ])
        : [];
    const { components, ...others } = defaults as { components: Readonly<Record<string, object>> };
    const known = closed(schema, '');
    const sections = new Set(known.flatMap((name) => name.split('.').slice(0, -1)));
    const named = Object.entries(others).flatMap(([name, value]) =>
      sections.has(name) ? [name, ...Object.keys(value as object).map((key) => `${name}.${key}`)] : [name],
    );
    expect([...known].sort()).to.deep.equal([...named, 'components', 'global'].sort());
    const ofComponents = closed(schema.properties?.['components']?.additionalProperties as Schema, '');
    expect([...ofComponents].sort()).to.deep.equal(
      [...new Set(Object.values(components).flatMap((component) => Object.keys(component)))].sort(),
    );
  });

  it('refuses a value that it does not have', async () => {
    const refused = await renderChart({ settings: { ratelimitRps: 3 } }).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.match(/ratelimitRps.*not allowed/);
  });

  it('would not pass with a wrong type or an unknown field', () => {
    const [service] = manifests.filter(({ kind }) => kind === 'Service');
    expect(faultsOf({ ...service!, spec: { ...(service!.spec as object), ports: 'grpc' } })).to.have.length(
      1,
    );
    expect(faultsOf({ ...service!, spec: { ...(service!.spec as object), porst: [] } })).to.deep.equal([
      '/spec/porst',
    ]);
  });

  it('has a workload for each service and worker, which runs a file that there is', async () => {
    expect(workloads().map(({ metadata }) => metadata.name)).to.have.members(
      COMPONENTS.map((name) => `prod-${name}`),
    );
    for (const workload of workloads()) await access(join(ROOT, container(workload).args.at(-1) ?? ''));
  });

  it('keeps what waits for Redis on a volume of its own', () => {
    for (const name of ['gateway', 'postgres', 'query-engine'])
      expect(named('StatefulSet', name), name).to.not.equal(undefined);
  });

  it('runs everything unprivileged, on a read-only file system', () => {
    for (const workload of workloads()) {
      expect(workload.spec.template.spec.securityContext).to.deep.include({
        runAsNonRoot: true,
        runAsUser: 1000,
      });
      expect(container(workload).securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('takes secrets by reference only', () => {
    const secret = /REDIS_URL|KEY_ENCRYPTION|OPERATOR_TOKEN/;
    for (const workload of workloads())
      for (const { name, value, valueFrom } of container(workload).env)
        if (secret.test(name)) {
          expect(value, name).to.equal(undefined);
          expect(valueFrom?.secretKeyRef.name).to.equal('penstock');
        }
    expect(manifests.map(({ kind }) => kind)).to.not.include('Secret');
    const holders = (secretName: RegExp) =>
      workloads()
        .filter((workload) => container(workload).env.some(({ name }) => secretName.test(name)))
        .map(({ metadata }) => metadata.name);
    expect(holders(/KEY_ENCRYPTION/)).to.deep.equal(['prod-auth']);
    expect(holders(/OPERATOR_TOKEN/)).to.have.members(['prod-auth', 'prod-schema-registry']);
  });

  it('gives every gRPC service a headless Service that selects its pods, and the targets name it', () => {
    for (const name of ['auth', 'schema-registry', 'usage-metering', 'query-engine']) {
      const { clusterIP, selector } = named('Service', name)?.spec as { clusterIP: string; selector: object };
      expect(clusterIP, name).to.equal('None');
      const pods = workloads().find(({ metadata }) => metadata.name === `prod-${name}`)!.spec.template;
      expect(pods.metadata.labels).to.include(selector);
    }
    const { env } = container(workloads().find(({ metadata }) => metadata.name === 'prod-gateway')!);
    const targets = env.filter(({ name }) => name.endsWith('_TARGET')).map(({ value }) => value);
    expect(targets).to.have.members([
      'dns:///prod-auth.penstock:9000',
      'dns:///prod-schema-registry.penstock:9000',
      'dns:///prod-usage-metering.penstock:9000',
      'dns:///prod-query-engine.penstock:9000',
    ]);
  });

  it('scales query engines by CPU and by queries in flight, and leaves their number to the autoscaler', () => {
    const { scaleTargetRef, metrics } = named('HorizontalPodAutoscaler', 'query-engine')?.spec as {
      scaleTargetRef: { kind: string; name: string };
      metrics: readonly { pods?: { metric: { name: string } }; resource?: { name: string } }[];
    };
    const engine = named(scaleTargetRef.kind, 'query-engine') as unknown as Workload;
    expect(scaleTargetRef.name).to.equal(engine.metadata.name);
    expect(engine.spec.replicas).to.equal(undefined);
    expect(metrics.map(({ pods, resource }) => pods?.metric.name ?? resource?.name)).to.deep.equal([
      'cpu',
      'penstock_rpc_server_in_flight',
    ]);
  });

  it('scales PostgreSQL endpoints by CPU, and leaves their number to the autoscaler', () => {
    const { scaleTargetRef, metrics } = named('HorizontalPodAutoscaler', 'postgres')?.spec as {
      scaleTargetRef: { kind: string; name: string };
      metrics: readonly { resource?: { name: string } }[];
    };
    const endpoint = named(scaleTargetRef.kind, 'postgres') as unknown as Workload;
    expect(scaleTargetRef.name).to.equal(endpoint.metadata.name);
    expect(endpoint.spec.replicas).to.equal(undefined);
    expect(metrics.map(({ resource }) => resource?.name)).to.deep.equal(['cpu']);
  });

  it('gives PostgreSQL endpoints the certificate of a Secret, and takes nothing for encrypted that is not', async () => {
    const endpointOf = (of: readonly Manifest[]) =>
      workloads(of).find(({ metadata }) => metadata.name === 'prod-postgres')!;
    const tlsOf = (of: readonly Manifest[]) =>
      Object.fromEntries(
        container(endpointOf(of)).env.flatMap(({ name, value }) =>
          name.startsWith('PENSTOCK_PG_TLS') ? [[name, value]] : [],
        ),
      );
    expect(tlsOf(manifests)).to.deep.equal({});
    const inFront = await renderChart({ postgres: { tlsInFront: true, serviceType: 'LoadBalancer' } });
    expect(tlsOf(inFront)).to.deep.equal({ PENSTOCK_PG_TLS_IN_FRONT: 'true' });
    const own = await renderChart({ postgres: { tlsSecretName: 'pg-cert', serviceType: 'LoadBalancer' } });
    const { PENSTOCK_PG_TLS_CERT: cert, PENSTOCK_PG_TLS_KEY: key, ...others } = tlsOf(own);
    expect(others['PENSTOCK_PG_TLS_IN_FRONT'] ?? 'false').to.equal('false');
    const pod = endpointOf(own).spec.template.spec as unknown as Pod;
    const volume = pod.volumes.find(({ secret }) => secret?.secretName === 'pg-cert');
    const mount = pod.containers[0]!.volumeMounts.find(({ name }) => name === volume?.name);
    expect([cert, key]).to.deep.equal([`${mount?.mountPath}/tls.crt`, `${mount?.mountPath}/tls.key`]);
    const service = named('Service', 'postgres', own)?.spec as {
      readonly type: string;
      readonly externalTrafficPolicy: string;
      readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    };
    expect(service).to.include({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    expect(named('Service', 'postgres')?.spec).not.to.have.property('externalTrafficPolicy');
    expect(service.ports.map(({ port, targetPort }) => [port, targetPort])).to.deep.equal([
      [5432, 'postgres'],
    ]);
    expect(container(endpointOf(own)).ports).to.deep.include({ name: 'postgres', containerPort: 5432 });
  });

  it('is not rendered where PostgreSQL clients would speak in clear text', async () => {
    const from = [{ ipBlock: { cidr: '10.1.0.0/16' } }];
    for (const values of [
      { postgres: { serviceType: 'LoadBalancer' } },
      { postgres: { serviceType: 'NodePort' } },
      { networkPolicy: { postgresFrom: from } },
    ]) {
      const failure = await renderChart(values).then(
        () => 'rendered',
        (error: unknown) => String(error),
      );
      expect(failure, JSON.stringify(values)).to.include('nothing encrypts what they say');
    }
  });

  it('lets nobody reach PostgreSQL endpoints but those that it is told', async () => {
    const from = [{ ipBlock: { cidr: '10.1.0.0/16' } }];
    const rulesOf = (of: readonly Manifest[]) =>
      (
        (
          named('NetworkPolicy', 'postgres', of)?.spec as {
            ingress?: readonly { ports?: object[]; from?: object }[];
          }
        ).ingress ?? []
      ).filter(({ ports = [] }) => ports.some((port) => 'port' in port && port.port === 'postgres'));
    expect(rulesOf(manifests)).to.deep.equal([]);
    const told = await renderChart({
      postgres: { tlsSecretName: 'pg-cert' },
      networkPolicy: { postgresFrom: from },
    });
    expect(rulesOf(told)).to.deep.equal([{ ports: [{ port: 'postgres' }], from }]);
  });

  it('has a disruption budget for each', () => {
    for (const name of COMPONENTS) expect(named('PodDisruptionBudget', name), name).to.not.equal(undefined);
  });
});
