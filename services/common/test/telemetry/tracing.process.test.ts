import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { until } from '../support/until.ts';
import { freePort } from '../usage/support/redis.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/traced-process.ts');

interface Running {
  readonly output: () => string;
  /** Sends SIGTERM; gives the exit code and how long it took, ms. */
  end(): Promise<{ readonly code: number; readonly tookMs: number }>;
  readonly exitCode: Promise<number>;
}

describe('tracing of a process', () => {
  const kills: (() => void)[] = [];
  let collector: Server;
  let bodies: Buffer[];
  let status: number;
  beforeEach(async () => {
    bodies = [];
    status = 200;
    collector = createServer((request, response) => {
      void buffer(request).then((body) => {
        bodies.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const kill of kills.splice(0)) kill();
    await new Promise((resolve) => {
      collector.close(resolve);
      collector.closeAllConnections();
    });
  });

  const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

  async function start(env: Readonly<Record<string, string>>): Promise<Running> {
    const child = spawn(process.execPath, [FIXTURE], {
      env: {
        ...CHILD_ENVIRONMENT,
        PENSTOCK_HEALTH_PORT: String(await freePort()),
        OTEL_BSP_SCHEDULE_DELAY: '100',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    kills.push(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exitCode = once(child, 'close').then(([code]) => code as number);
    await until(() => output.includes('"started"') || child.exitCode !== null);
    return {
      output: () => output,
      exitCode,
      async end() {
        const from = performance.now();
        child.kill('SIGTERM');
        const code = await exitCode;
        return { code, tookMs: performance.now() - from };
      },
    };
  }
  const linesOf = (running: Running, text: string): readonly string[] =>
    running
      .output()
      .split('\n')
      .filter((line) => line.includes(text));

  it('is off without a collector, and nothing of the SDK is loaded', async () => {
    const running = await start({});
    expect(running.output()).to.contain('{"isLoaded":false}');
    expect((await running.end()).code).to.equal(0);
  });

  it('delivers spans as they come, and the last ones before the process ends', async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() });
    expect(running.output()).to.contain('{"isLoaded":true}');
    await until(() => bodies.some((body) => body.includes('tick')));
    expect((await running.end()).code).to.equal(0);
    expect(bodies.some((body) => body.includes('last'))).to.equal(true);
    expect(bodies[0]?.includes('fixture')).to.equal(true);
  });

  it('says once that the collector refuses, and once that it takes spans again', async () => {
    status = 400;
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() });
    await until(() => bodies.length >= 4);
    status = 200;
    await until(() => linesOf(running, 'delivered').length === 2);
    await running.end();
    const said = linesOf(running, 'delivered').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said.map(({ level, msg }) => [level, msg])).to.deep.equal([
      ['warn', 'traces cannot be delivered to the collector'],
      ['info', 'traces are delivered to the collector again'],
    ]);
  });

  it('does not hold up the end of a process whose collector is away', async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    const { code, tookMs } = await running.end();
    expect(code).to.equal(0);
    expect(tookMs).to.be.below(3_000);
  });

  it('does not start with a setting that is wrong, and names it', async () => {
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
      ['OTEL_TRACES_SAMPLER', 'sometimes'],
      ['OTEL_TRACES_SAMPLER_ARG', '7'],
    ] as const) {
      const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), [name]: value });
      expect(await running.exitCode, name).to.equal(1);
      expect(running.output()).to.contain(`${name}: must be`);
    }
  });
});
