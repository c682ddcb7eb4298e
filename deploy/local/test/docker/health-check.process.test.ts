import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHealthServer } from '@penstock/common/process/health-server.ts';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { freePort } from '../../../../services/common/test/usage/support/redis.ts';
import { ROOT } from './support/image.ts';

const CHECK = join(ROOT, 'deploy/docker/healthy.sh');

describe('the images’ health check', () => {
  const passes = (port: number): Promise<boolean> => {
    const env = { PATH: process.env['PATH'], PENSTOCK_HEALTH_PORT: String(port) };
    return promisify(execFile)(CHECK, [], { env }).then(
      () => true,
      () => false,
    );
  };

  it('passes while the process takes work, and fails before, after and without it', async () => {
    const port = await freePort();
    expect(await passes(port)).to.equal(false);
    let isReady = false;
    const health = await startHealthServer({
      host: '127.0.0.1',
      port,
      registry: new Registry(),
      isReady: () => isReady,
    });
    expect(await passes(port)).to.equal(false);
    isReady = true;
    expect(await passes(port)).to.equal(true);
    await health.close();
    expect(await passes(port)).to.equal(false);
  });

  it('fails where nobody answers', async () => {
    const port = await freePort();
    const silent = createServer((socket) => socket.resume()).listen(port, '127.0.0.1');
    await once(silent, 'listening');
    expect(await passes(port)).to.equal(false);
    silent.close();
    await once(silent, 'close');
  });
});
