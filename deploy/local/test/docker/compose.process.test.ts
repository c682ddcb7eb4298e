/**
 * The file docker-compose.yml, and services in their images as it starts them.
 *
 * Takes long: images of the services are made, and a stack is started from them.
 * Takes turns: for the same reason.
 */
import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { IS_LONG } from '../../../../services/common/test/support/random-budget.ts';
import { composeConfig, expectSame, readWithCompose, type ComposeFile } from './support/compose.ts';
import { missingEntries } from './support/package-entries.ts';
import { startFromImages, type ContainerStack } from './support/stack.ts';

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

/**
 * Five images and nine processes take 100 CPU seconds, so only the long lane has them all. The short form has a service
 * of JavaScript alone, and the one whose packages bring libraries of their own.
 */
const STARTED = IS_LONG ? OWN : ['auth', 'query-engine'];
const IMAGES = IS_LONG ? 5 : 2;
const SCALE: Readonly<Record<string, number>> = IS_LONG ? { 'query-engine': 2 } : {};

describe('docker-compose.yml', () => {
  let compose: ComposeFile;
  before(async () => {
    compose = await composeConfig(['docker-compose.yml']);
  });

  it('is valid, and has a container for each service and worker', async () => {
    expect(Object.keys(compose.services)).to.have.members([...OWN, 'localstack', 'redis']);
    const byCompose = await readWithCompose(['docker-compose.yml']);
    if (byCompose !== null) expectSame(compose, byCompose);
  });

  it('is reached from this computer only, since its secrets are known to everybody', () => {
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(published).to.have.length(3);
    for (const port of published) expect(port).to.match(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('gives each of them a read-only file system and no privileges', () => {
    for (const name of OWN) {
      const service = compose.services[name];
      expect(service, name).to.include({ read_only: true });
      expect(service?.cap_drop, name).to.deep.equal(['ALL']);
      expect(service?.security_opt, name).to.deep.equal(['no-new-privileges:true']);
    }
  });

  it('pins the images that it does not build', () => {
    for (const name of ['localstack', 'redis']) expect(compose.services[name]?.image).to.match(/:\d+\.\d+/);
  });

  it('keeps what queries spill on another volume than usage that waits for Redis', () => {
    const targets = compose.services['query-engine']?.volumes?.map((volume) => volume.split(':').at(-1));
    expect(targets).to.include.members(['/var/lib/penstock', '/var/lib/penstock/spill']);
  });

  it('keeps the files of PostgreSQL servers on another volume than usage that waits for Redis', () => {
    const targets = compose.services['postgres']?.volumes?.map((volume) => volume.split(':').at(-1));
    expect(targets).to.include.members(['/var/lib/penstock', '/var/lib/penstock/servers']);
  });

  it('takes addresses and secrets from the environment', async () => {
    const env = { PENSTOCK_PORT: '9999', PENSTOCK_OPERATOR_TOKEN: 'a-token-of-my-own' };
    const { services } = await composeConfig(['docker-compose.yml'], env);
    expect(services['gateway']?.environment).to.include({ PENSTOCK_BASE_URL: 'http://localhost:9999' });
    expect(services['auth']?.environment).to.include({ PENSTOCK_OPERATOR_TOKEN: 'a-token-of-my-own' });
  });

  describe('with its services started from their images, unprivileged and read-only', () => {
    let stack: ContainerStack;
    before(async function () {
      this.timeout(300_000);
      stack = await startFromImages(compose, STARTED, SCALE);
    });
    after(async function () {
      this.timeout(60_000);
      await stack?.close();
    });

    const admin = async <Answer>(...words: string[]): Promise<Answer> =>
      JSON.parse(await stack.exec('auth', ['node', 'services/auth/src/admin/cli.ts', ...words])) as Answer;

    it('has an admin CLI that reaches auth, and an engine that is ready', async () => {
      const { tenantId } = await admin<{ tenantId: string }>('tenant', 'create', '--name', 'Acme');
      expect(tenantId).to.match(/^tnt_/);
      const engines = stack.containers.filter(({ service }) => service === 'query-engine');
      for (const { address } of engines)
        expect((await fetch(`http://${address}:9090/readyz`)).status).to.equal(200);
    });

    const inLongLane = IS_LONG ? it : () => undefined;
    inLongLane('answers a query over both engines, by the role that the ready hook made', async function () {
      this.timeout(60_000);
      const { tenantId } = await admin<{ tenantId: string }>('tenant', 'create', '--name', 'Acme');
      const scopes = ['--scopes', 'query schemas:write'];
      const client = await admin<object>(
        'client',
        'create',
        '--tenant',
        tenantId,
        '--name',
        'reports',
        ...scopes,
      );
      const post = async (path: string, body: object, token?: string) => {
        const headers = {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        };
        const answer = await fetch(`${stack.gatewayUrl}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (await answer.json()) as { success: boolean; data: Record<string, never> };
      };
      const { data } = await post('/v1/auth/token', client);
      const token: string = data['accessToken']!;
      const { account: accountId, externalId } = stack.seeded;
      const roleArn = `arn:aws:iam::${accountId}:role/penstock-access`;
      const tableAllowlist = ['customers', 'orders'];
      const schema = {
        schemaName: 'shop',
        region: 'eu-west-1',
        accountId,
        roleArn,
        externalId,
        tableAllowlist,
      };
      expect(await post('/v1/schemas', schema, token)).to.include({ success: true });

      const sql = `SELECT c.city, COUNT(*) FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.customer_id
        GROUP BY c.city ORDER BY c.city`;
      for (let i = 0; i < 4; i++)
        expect((await post('/v1/query', { sql }, token)).data['data']).to.deep.equal([
          ['Graz', 6],
          ['Lyon', 6],
          ['Porto', 6],
          ['Turku', 6],
        ]);
      const engines = stack.containers.filter(({ service }) => service === 'query-engine');
      expect(engines).to.have.length(2);
      for (const { address, name } of engines) {
        const metrics = await (await fetch(`http://${address}:9090/metrics`)).text();
        expect(metrics, name).to.match(/_count\{[^}]*Execute[^}]*\} [1-9]/);
      }
    });

    it('holds every file that its packages lead Node.js to, and no map', async function () {
      this.timeout(60_000);
      const trees = await stack.trees();
      expect(trees).to.have.length(IMAGES);
      for (const tree of trees) {
        expect(await missingEntries(tree)).to.deep.equal([]);
        for await (const map of glob('app/node_modules/**/*.map', { cwd: tree })) expect.fail(map);
      }
      // As one that lacks a file would be found.
      const folder = await mkdtemp(join(tmpdir(), 'penstock-entries-'));
      await mkdir(join(folder, 'node_modules/a'), { recursive: true });
      const manifest = {
        exports: { '.': { browser: './b.js', node: { import: './i.js', require: './r.cjs' } } },
      };
      await writeFile(join(folder, 'node_modules/a/package.json'), JSON.stringify(manifest));
      await writeFile(join(folder, 'node_modules/a/i.js'), '');
      expect(await missingEntries(folder)).to.deep.equal(['node_modules/a/r.cjs']);
      await rm(folder, { recursive: true });
    });

    it('ends each within its grace period, with exit code 0', async function () {
      this.timeout(90_000);
      const codes = await stack.stop();
      expect(new Set(Object.values(codes))).to.deep.equal(new Set([0]));
      expect(Object.keys(codes)).to.have.length(stack.containers.length);
      expect(stack.containers).to.have.length(STARTED.length + (IS_LONG ? 1 : 0));
    });
  });
});
