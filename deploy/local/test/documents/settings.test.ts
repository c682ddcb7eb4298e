import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '@penstock/common/config/config.ts';
import { expect } from 'chai';
import { sources } from '../../../../services/common/test/repository/support/pages.ts';
import { composeConfig } from '../docker/support/compose.ts';
import { assignments, parseStages } from '../docker/support/dockerfile.ts';
import { ROOT } from '../docker/support/image.ts';
import { environments, renderChart } from '../helm/support/render.ts';
import { PROCESSES, SETTINGS } from './support/processes.ts';

type Environment = Readonly<Record<string, string>>;
type Environments = Readonly<Record<string, Environment>>;

/** Settings that an operator cannot reach by name, and why that is right. */
const LEFT_TO_DEFAULT: Readonly<Record<'compose' | 'chart', Readonly<Record<string, string>>>> = {
  compose: {
    PENSTOCK_BUDGETS_LOOK_MS: 'less than the default is for tests, which wait it out',
    PENSTOCK_CATALOG_FRESH_MS: 'the same',
    PENSTOCK_PG_TLS_CERT: 'the endpoint is reached from this computer only',
    PENSTOCK_PG_TLS_KEY: 'the same',
  },
  chart: {
    PENSTOCK_BUDGETS_LOOK_MS: 'less than the default is for tests, which wait it out',
    PENSTOCK_CATALOG_FRESH_MS: 'the same',
    PENSTOCK_AWS_ENDPOINT: 'the chart runs against AWS itself',
    PENSTOCK_PG_TLS_CERT: 'set where `postgres.tlsSecretName` names a certificate',
    PENSTOCK_PG_TLS_KEY: 'the same',
    PENSTOCK_PG_TLS_IN_FRONT: 'set where `postgres.tlsInFront` says so',
    PENSTOCK_PG_TRUSTED_PROXIES: 'set where `postgres.trustedProxies` names some',
    PENSTOCK_STS_CHECKS_EXTERNAL_ID:
      'false is for emulators: with AWS it would hide roles that anybody may assume',
  },
};

/** Where the chart's default is another than the code's, and why. */
const OTHER_DEFAULT: Readonly<Record<string, string>> = {
  PENSTOCK_QUERY_MEMORY_MB:
    'the code’s suits a process among others on a small machine; a pod has its own memory',
  PENSTOCK_WORKER_MEMORY_MB: 'the same',
  UV_THREADPOOL_SIZE: 'the image’s: four threads are few for an engine that has cores of its own',
};

/** Where the code's default is the machine's, and by chance the chart's. */
const DEFAULT_OF_THE_MACHINE: ReadonlySet<string> = new Set(['PENSTOCK_QUERY_WORKERS']);

/** Stands for what the chart takes from a Secret. */
const SECRETS: Environment = {
  PENSTOCK_REDIS_URL: 'redis://redis:6379',
  PENSTOCK_OPERATOR_TOKEN: 'an-operator-of-this-test',
  PENSTOCK_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  PENSTOCK_PAGE_POSITION_KEY: Buffer.alloc(32).toString('base64'),
};

/** Values of an operator’s own, some that are empty by default. */
const OWN_SETTINGS = {
  consoleUrl: 'https://penstock.example/console',
  drainTimeoutMs: 30_000,
  mcpAllowedHosts: 'mcp.internal',
  mcpAllowedOrigins: 'https://agent.example',
  otlpEndpoint: 'http://collector:4318',
  queryTempMb: 1_048_576,
  rateLimitRps: 20,
  roleTemplateUrl: 'https://templates.s3.amazonaws.com/role.yaml',
  serviceAccountId: '123456789012',
  tracesSampler: 'parentbased_traceidratio',
  tracesSamplerArg: 0.1,
  trustedProxies: '10.0.0.0/8',
};

describe('every setting of every process', function () {
  this.timeout(300_000);
  let image: Environment;
  let composed: Environments;
  let charted: Environments;
  /** The chart’s with those values, too, that are empty where nobody sets them. */
  let filled: Environments;
  before(async () => {
    const dockerfile = parseStages(await readFile(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8'));
    const runtime = dockerfile.find(({ name }) => name === 'runtime')?.instructions ?? [];
    image = Object.fromEntries(
      runtime
        .filter(({ keyword }) => keyword === 'ENV')
        .flatMap(({ text }) => Object.entries(assignments(text))),
    );
    const { services } = await composeConfig(['docker-compose.yml']);
    composed = Object.fromEntries(
      Object.entries(services).map(([name, { environment = {} }]) => [name, environment]),
    );
    charted = environments(await renderChart(), SECRETS);
    filled = environments(await renderChart({ settings: OWN_SETTINGS }), SECRETS);
    expect(Object.keys(charted)).to.have.members(Object.keys(PROCESSES));
  });
  const environmentsOf = (way: 'compose' | 'chart') => (way === 'compose' ? composed : charted);

  it('is in a schema that this test knows', () => {
    const read = ['gateway', 'services']
      .flatMap(sources)
      .join('\n')
      .match(/\bPENSTOCK_[A-Z_]*[A-Z]\b/g);
    expect([...SETTINGS]).to.include.members([...new Set(read)]);
  });

  for (const way of ['compose', 'chart'] as const) {
    it(`can be set, or is left to its default for a reason: ${way}`, () => {
      const of = way === 'compose' ? composed : filled;
      const left = Object.entries(PROCESSES).flatMap(([name, { shape }]) =>
        Object.keys(shape).filter((setting) => !(setting in of[name]!) && !(setting in image)),
      );
      expect([...new Set(left)].sort()).to.deep.equal(Object.keys(LEFT_TO_DEFAULT[way]).sort());
    });

    it(`has a value that the process takes: ${way}`, () => {
      for (const [name, schema] of Object.entries(PROCESSES))
        expect(() => readConfig(schema, { ...image, ...environmentsOf(way)[name]! }), name).not.to.throw();
    });

    it(`is one that some process reads: ${way}`, () => {
      for (const name of Object.keys(PROCESSES))
        for (const setting of Object.keys(environmentsOf(way)[name]!).filter((one) =>
          one.startsWith('PENSTOCK_'),
        ))
          expect(SETTINGS.has(setting), `${name} ${setting}`).to.equal(true);
    });
  }

  it('has the code’s default in the chart', () => {
    const other = Object.entries(PROCESSES).flatMap(([name, { shape }]) =>
      Object.entries(charted[name]!).flatMap(([setting, value]) => {
        const byDefault = shape[setting]?.safeParse(undefined).data;
        const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault);
        const isSame = byDefault === undefined || text === value || DEFAULT_OF_THE_MACHINE.has(setting);
        return isSame ? [] : [setting];
      }),
    );
    expect([...new Set(other)].sort()).to.deep.equal(Object.keys(OTHER_DEFAULT).sort());
  });

  it('comes from the environment of `make up`', async () => {
    const names = Object.values(PROCESSES).flatMap(({ shape }) => Object.keys(shape));
    const text = await readFile(join(ROOT, 'deploy/README.md'), 'utf8');
    const [, list = ''] = /together are fixed:\n([\s\S]*?)\. The gateway/.exec(text) ?? [];
    const fixed = [...list.matchAll(/`(PENSTOCK_\w+)`/g)].map(([, name = '']) => name);
    expect([...new Set(names)]).to.include.members(fixed);
    const set = Object.fromEntries(
      [...new Set(names)]
        .filter((name) => !fixed.includes(name) && !['PENSTOCK_PORT', 'PENSTOCK_PG_PORT'].includes(name))
        .filter((name) => !(name in LEFT_TO_DEFAULT.compose))
        .map((name) => [name, '7']),
    );
    expect(fixed).to.have.length(17);
    const { services } = await composeConfig(['docker-compose.yml'], set);
    for (const [name, { shape }] of Object.entries(PROCESSES))
      for (const setting of Object.keys(shape).filter((one) => one in set))
        expect(services[name]?.environment?.[setting], `${name} ${setting}`).to.equal('7');
    expect(services['gateway']?.stop_grace_period).to.equal('7ms10s');
  });

  it('comes from the chart’s values', async () => {
    const components = {
      auth: { env: { PENSTOCK_LOG_LEVEL: 'debug', NODE_OPTIONS: '--max-old-space-size=300' } },
    };
    const of = environments(await renderChart({ settings: OWN_SETTINGS, components }), SECRETS);
    for (const [name, schema] of Object.entries(PROCESSES)) readConfig(schema, { ...image, ...of[name]! });
    expect(of['gateway']).to.include({
      PENSTOCK_DRAIN_TIMEOUT_MS: '30000',
      PENSTOCK_MCP_ALLOWED_HOSTS: 'mcp.internal',
      PENSTOCK_MCP_ALLOWED_ORIGINS: 'https://agent.example',
      PENSTOCK_RATE_LIMIT_RPS: '20',
      PENSTOCK_TRUSTED_PROXIES: '10.0.0.0/8',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    });
    expect(of['query-engine']).to.include({ PENSTOCK_QUERY_TEMP_MB: '1048576', PENSTOCK_LOG_LEVEL: 'info' });
    expect(of['auth']).to.include({ ...components.auth.env, PENSTOCK_RATE_LIMIT_RPS: '20' });
  });

  it('is refused in the chart where a pod would be killed before it has drained', async () => {
    const refused = await renderChart({ settings: { drainTimeoutMs: 60_000 } }).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.contain('settings.drainTimeoutMs needs a terminationGracePeriodSeconds of 68 or more');
    await renderChart({ settings: { drainTimeoutMs: 60_000 }, terminationGracePeriodSeconds: 68 });
  });
});
