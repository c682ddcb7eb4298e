import { expect } from 'chai';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { startHealthServer } from '@penstock/common/process/health-server.ts';
import { answers, answersReady } from '../../src/stack/health.ts';

describe('the health of a process', () => {
  it('is there once it is ready, and whole once it tells of no problem', async () => {
    let ready = false;
    let problems = ['Cannot be reached: query-engine'];
    const server = await startHealthServer({
      ...{ host: '127.0.0.1', port: 0, registry: createMetrics('test').registry },
      isReady: () => ready,
      problems: () => problems,
    });
    const url = `http://127.0.0.1:${server.port}/readyz`;
    const seen = async () => [await answers(url), await answersReady(url)];
    expect(await seen()).to.deep.equal([false, false]);
    ready = true;
    expect(await seen()).to.deep.equal([true, false]);
    problems = [];
    expect(await seen()).to.deep.equal([true, true]);
    await server.close();
    expect(await seen()).to.deep.equal([false, false]);
  });
});
