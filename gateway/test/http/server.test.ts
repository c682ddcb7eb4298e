import { expect } from 'chai';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../services/common/test/support/until.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('the HTTP server', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.close());

  let asked = 0;
  const slowList = (ms: number): void => {
    asked = 0;
    gateway.fakes.schemas = {
      listSchemas: async () => {
        asked++;
        await sleep(ms);
        return { items: [] };
      },
    };
  };

  it('lets a request in flight finish while it drains, ends its connection, and takes no other', async () => {
    slowList(300);
    const inFlight = gateway.send('GET', '/v1/schemas');
    await until(() => asked === 1);
    gateway.ready = false;
    const closed = gateway.server.close(5_000);
    const refused = await gateway.send('GET', '/livez', { as: null }).then(
      () => 'answered',
      () => 'refused',
    );
    expect(refused).to.equal('refused');
    const answer = await inFlight;
    expect(answer.status).to.equal(200);
    const start = performance.now();
    await closed;
    expect(performance.now() - start).to.be.below(4_000);
  });

  it('ends what is left when the drain has run out of time', async () => {
    slowList(5_000);
    const inFlight = gateway.send('GET', '/v1/schemas').then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => asked === 1);
    const start = performance.now();
    await gateway.server.close(200);
    expect(performance.now() - start).to.be.within(150, 4_000);
    expect(await inFlight).to.equal('cut');
  });

  it('keeps connections open, and closes them after the answer once it is not ready', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connectionOf = (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        request({ agent, port: gateway.server.port, host: '127.0.0.1', path: '/livez' }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection));
        })
          .on('error', reject)
          .end();
      });
    expect(await connectionOf()).to.equal('keep-alive');
    gateway.ready = false;
    expect(await connectionOf()).to.equal('close');
    agent.destroy();
  });
});
