import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, untilSome } from '../support/until.ts';
import { freePort } from '../usage/support/redis.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/process.ts');

interface Run {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  readonly said: () => string[];
  readonly exitCode: Promise<number>;
}

/** `lateMs`: how long nobody reads what it writes. */
async function start(mode: string, env: Record<string, string> = {}, lateMs = 0): Promise<Run> {
  const port = await freePort();
  const child = spawn(process.execPath, [FIXTURE], {
    env: { ...CHILD_ENVIRONMENT, PENSTOCK_HEALTH_PORT: String(port), FIXTURE_MODE: mode, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (): void => void child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  if (lateMs === 0) read();
  else setTimeout(read, lateMs);
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    said: () => [...output.matchAll(/"said":"([^"]*)"/g)].map(([, text]) => text!),
    exitCode: once(child, 'close').then(([code]) => code as number),
  };
}

async function statusOf(run: Run, path: string): Promise<number> {
  const status = (): Promise<number | null> =>
    fetch(`${run.url}${path}`).then(
      (answer) => answer.status,
      () => null,
    );
  return untilSome(status, { what: `something listens` }).catch((error: unknown) => {
    throw new Error(`${String(error)}; it said: ${run.output()}`);
  });
}

async function ready(run: Run): Promise<void> {
  await until(async () => (await statusOf(run, '/readyz')) === 200, { what: 'the process is ready' });
}

/** How often the process's main thread was idle and had something to do again. */
async function wakeUps(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]);
}

describe('runProcess', () => {
  let current: Run | null = null;
  const run = async (mode: string, env?: Record<string, string>, lateMs?: number): Promise<Run> =>
    (current = await start(mode, env, lateMs));
  afterEach(async () => {
    current?.child.kill('SIGKILL');
    await current?.exitCode;
  });

  it('answers probes and metrics, and nothing else', async () => {
    const running = await run('');
    await ready(running);
    expect(await statusOf(running, '/livez')).to.equal(200);
    const metrics = await fetch(`${running.url}/metrics`);
    expect(await metrics.text()).to.contain('process_cpu_user_seconds_total{service="fixture"}');
    expect(await statusOf(running, '/else')).to.equal(404);
  });

  it('hardly wakes up while there is nothing to do', async function () {
    if (process.platform !== 'linux') return this.skip();
    const running = await run('');
    await ready(running);
    const inASecond = async (): Promise<number> => {
      const before = await wakeUps(running.child.pid);
      // Sleeps: wake-ups are counted over a time.
      await sleep(1_000);
      return (await wakeUps(running.child.pid)) - before;
    };
    // Looking at the event loop every 10 ms and at lines to write every 50, it was 125 times in any second. The first
    // seconds are those of its start.
    await until(async () => (await inASecond()) < 30, { timeoutMs: 5_000, what: 'it hardly wakes up' });
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends with 0 at ${signal}, what was built last first`, async () => {
      const running = await run('');
      await ready(running);
      running.child.kill(signal);
      expect(await running.exitCode).to.equal(0);
      expect(running.said()).to.deep.equal(['last built', 'first built']);
    });
  }

  it('is not ready while it drains', async () => {
    const running = await run('slow', { PENSTOCK_DRAIN_TIMEOUT_MS: '0' });
    await ready(running);
    running.child.kill('SIGTERM');
    await until(async () => (await statusOf(running, '/readyz')) === 503);
    expect(await statusOf(running, '/livez')).to.equal(200);
  });

  it('gives up a drain that takes too long, with 1', async () => {
    const running = await run('slow', { PENSTOCK_DRAIN_TIMEOUT_MS: '0' });
    await ready(running);
    running.child.kill('SIGTERM');
    expect(await running.exitCode).to.equal(1);
    expect(running.said()).to.deep.equal([]);
  });

  it('runs the other hooks when one fails', async () => {
    const running = await run('hook-fails');
    await ready(running);
    running.child.kill('SIGTERM');
    expect(await running.exitCode).to.equal(0);
    expect(running.said()).to.deep.equal(['last built', 'first built']);
  });

  it('names a bad setting and ends with 1', async () => {
    const own = await run('bad-config');
    expect(await own.exitCode).to.equal(1);
    expect(own.output()).to.contain('fixture: FIXTURE_SETTING must be set');
    const shared = await run('', { PENSTOCK_LOG_LEVEL: 'loud' });
    expect(await shared.exitCode).to.equal(1);
    expect(shared.output()).to.contain('PENSTOCK_LOG_LEVEL');
  });

  it('logs why it could not start and ends with 1', async () => {
    const running = await run('fails');
    expect(await running.exitCode).to.equal(1);
    expect(running.output()).to.contain('no database');
  });

  it('logs an error that nothing caught, runs its hooks and ends with 1', async () => {
    const running = await run('crashes');
    expect(await running.exitCode).to.equal(1);
    expect(running.output()).to.contain('lost');
    expect(running.said()).to.deep.equal(['last built', 'first built']);
  });

  const linesOf = (output: string): number[] =>
    [...output.matchAll(/"line":(\d+)/g)].map(([, line]) => Number(line));
  const allLines = Array.from({ length: 3_000 }, (_, line) => line);

  it('writes the lines that wait when a signal ends it', async () => {
    const running = await run('chatty');
    await ready(running);
    running.child.kill('SIGTERM');
    expect(await running.exitCode).to.equal(0);
    expect(linesOf(running.output())).to.deep.equal(allLines);
    expect(running.output()).to.contain('"msg":"ended"');
  });

  // The second time what it writes fills the pipe, so that a batch is on its way when it crashes.
  for (const { lines, lateMs } of [
    { lines: 3_000, lateMs: 0 },
    { lines: 20_000, lateMs: 1_500 },
  ])
    it(`writes the lines that wait, in their order, when it crashes (read ${lateMs} ms later)`, async () => {
      const running = await run('chatty-crash', { FIXTURE_LINES: String(lines) }, lateMs);
      expect(await running.exitCode).to.equal(1);
      const written = linesOf(running.output());
      expect(written).to.have.length(lines);
      expect(written.findIndex((line, place) => line !== place)).to.equal(-1);
      const last = new RegExp(`"line":${lines - 1}.*an error that nothing caught.*"msg":"ended"`, 's');
      expect(running.output()).to.match(last);
    });

  it('writes the lines that wait when something ends it at once', async () => {
    const running = await run('chatty-exit');
    await running.exitCode;
    // A batch that is on its way then may come last.
    expect(linesOf(running.output()).sort((a, b) => a - b)).to.deep.equal(allLines);
  });

  it('writes a line within moments when nothing follows it', async () => {
    const running = await run('');
    await ready(running);
    await until(() => running.output().includes('"msg":"started"'), { timeoutMs: 1_000 });
  });
});
