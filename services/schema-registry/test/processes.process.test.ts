import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../common/test/support/child-environment.ts';
import { startAwsEndpoint, type AwsEndpoint } from '../../../deploy/local/src/aws/server.ts';
import { startRedis, type RunningRedis } from '../../../deploy/local/src/stack/redis.ts';
import { freePorts } from '../../../deploy/local/src/stack/ports.ts';
import { until } from '../../common/test/support/until.ts';

const SRC = join(import.meta.dirname, '../src');

describe('the processes of the schema registry', () => {
  let dataDir: string;
  let aws: AwsEndpoint;
  let redis: RunningRedis;

  before(async function () {
    this.timeout(60_000);
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-processes-'));
    aws = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir: join(dataDir, 'aws') });
    redis = await startRedis({ dataDir: join(dataDir, 'redis'), port: 0 });
  });
  after(async () => {
    await redis.close();
    await aws.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const entry of ['main.ts', 'worker.ts']) {
    it(`${entry} gets ready, and ends with 0 when told to`, async function () {
      this.timeout(90_000);
      const [healthPort = 0] = await freePorts(1);
      const child = start(entry, {
        PENSTOCK_HEALTH_PORT: String(healthPort),
        PENSTOCK_RPC_PORT: '0',
        PENSTOCK_REDIS_URL: redis.url,
        PENSTOCK_AWS_ENDPOINT: aws.url,
        PENSTOCK_CREATE_TABLES: 'true',
        PENSTOCK_AUTH_TARGET: 'ipv4:127.0.0.1:1',
        PENSTOCK_BASE_URL: 'http://localhost:8080',
      });
      const ended = once(child, 'exit');
      await ready(healthPort);
      child.kill('SIGTERM');
      expect((await ended)[0]).to.equal(0);
    });
  }

  it('names the setting that is missing', async function () {
    this.timeout(90_000);
    const child = start('main.ts', { PENSTOCK_HEALTH_PORT: '0', PENSTOCK_RPC_PORT: '0' });
    let said = '';
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    expect((await once(child, 'exit'))[0]).to.equal(1);
    expect(said).to.match(/PENSTOCK_REDIS_URL must be set/);
  });

  function start(entry: string, env: Record<string, string>): ChildProcess {
    return spawn(process.execPath, [join(SRC, entry)], {
      env: {
        ...CHILD_ENVIRONMENT,
        AWS_ACCESS_KEY_ID: '000000000000',
        AWS_SECRET_ACCESS_KEY: 'test',
        PENSTOCK_LOG_LEVEL: 'error',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
});

async function ready(port: number): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, { what: 'the process gets ready' });
}
