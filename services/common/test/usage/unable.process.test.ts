import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { fromStreamFields } from '../../src/usage/event.ts';
import { LAST_RESORT_WAIT_MS_MAX, REDIS_WAIT_MS_MAX, SPOOL_WAIT_MS_MAX } from '../../src/usage/limits.ts';
import type { UsageEvent, UsageRecorder } from '../../src/usage/recorder.ts';
import { createUsageRecorder } from '../../src/usage/recorder.ts';
import { usageStreamKey } from '../../src/usage/stream.ts';
import { until } from '../support/until.ts';
import type { TestRedis } from './support/redis.ts';
import { startTestRedis } from './support/redis.ts';

const logger = pino({ level: 'silent' });
/** What a busy machine may add to a bounded wait, milliseconds. */
const SLACK_MS = 3_000;

function event(id: string, change: Partial<UsageEvent> = {}): UsageEvent {
  const at = Date.UTC(2026, 10, 21, 12);
  return { id, tenantId: 'tnt_a', at, requests: 1, rowsReturned: 3, readHalfUnits: 5, ...change };
}

async function failureOf(work: Promise<unknown>): Promise<PenstockError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PenstockError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('usage that neither Redis nor the disk takes', function () {
  this.timeout(90_000);
  let server: TestRedis;
  let redis: Redis;
  let dir: string;
  /** Where the spool should be is a file: not even root can write events there. */
  let spoolDir: string;
  let recorders: UsageRecorder[] = [];

  const metrics = createMetrics('test');
  const recorder = (): UsageRecorder => {
    const made = createUsageRecorder({ redis, spoolDir, logger, metrics });
    recorders.push(made);
    return made;
  };
  const recorded = async (): Promise<UsageEvent[]> => {
    const entries = await redis.xrange(usageStreamKey, '-', '+');
    return entries.map(([, fields]) => fromStreamFields(fields)!);
  };
  const isAble = (made: UsageRecorder): boolean => {
    try {
      made.ensureAble();
      return true;
    } catch (error) {
      expect(error).to.include({ code: 'UNAVAILABLE', retryAfterS: 1 });
      return false;
    }
  };

  beforeEach(async () => {
    server = await startTestRedis();
    redis = server.connect();
    await until(() => redis.status === 'ready');
    dir = await mkdtemp(join(tmpdir(), 'penstock-unable-'));
    spoolDir = join(dir, 'spool');
    await writeFile(spoolDir, '');
  });
  afterEach(async () => {
    await Promise.all(recorders.map((made) => made.close()));
    recorders = [];
    await server.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('is refused at once, refuses what comes after, and is counted once when Redis is back', async () => {
    const made = recorder();
    expect(isAble(made)).to.equal(true);
    await server.kill();
    await until(() => redis.status !== 'ready');
    const started = Date.now();
    const failures = await Promise.all(['a', 'b', 'c'].map((id) => failureOf(made.record(event(id)))));
    expect(Date.now() - started).to.be.below(4_000);
    for (const failure of failures) expect(failure).to.include({ code: 'UNAVAILABLE', retryAfterS: 1 });
    expect(isAble(made)).to.equal(false);
    expect(await metrics.registry.metrics()).to.match(/penstock_usage_owed_events\{[^}]*\} 3/);
    await server.start();
    await until(() => isAble(made));
    await made.record(event('d'));
    expect((await recorded()).map(({ id }) => id).sort()).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(await metrics.registry.metrics()).to.match(/penstock_usage_owed_events\{[^}]*\} 0/);
  });

  it('is refused in bounded time by a Redis that hangs, and counted once although Redis had it unheard', async () => {
    const made = recorder();
    server.freeze();
    const started = Date.now();
    try {
      await failureOf(made.record(event('a')));
      const spentMs = Date.now() - started;
      expect(spentMs).to.be.within(
        REDIS_WAIT_MS_MAX,
        REDIS_WAIT_MS_MAX + SPOOL_WAIT_MS_MAX + LAST_RESORT_WAIT_MS_MAX + SLACK_MS,
      );
      expect(isAble(made)).to.equal(false);
    } finally {
      server.thaw();
    }
    await until(() => isAble(made));
    expect((await recorded()).map(({ id }) => id)).to.deep.equal(['a']);
  });

  it('loses its rows, not its units, where who asked was told of the failure', async () => {
    const made = recorder();
    await server.kill();
    await until(() => redis.status !== 'ready');
    await failureOf(made.record(event('q:reads', { requests: 0 })));
    const nothing = { requests: 0, rowsReturned: 0, readHalfUnits: 0 };
    await failureOf(made.record(event('q:lost', { ...nothing, voids: 'q:reads' })));
    await server.start();
    await until(() => isAble(made));
    const all = await recorded();
    expect(all.reduce((sum, { rowsReturned }) => sum + rowsReturned, 0)).to.equal(0);
    expect(all.reduce((sum, { readHalfUnits }) => sum + readHalfUnits, 0)).to.equal(5);
  });

  it('goes to the disk once that is mended, while Redis is still away', async () => {
    const made = recorder();
    await server.kill();
    await until(() => redis.status !== 'ready');
    await failureOf(made.record(event('a')));
    await rm(spoolDir);
    await until(() => isAble(made));
    expect(await readdir(spoolDir)).to.have.length(1);
  });

  it('still asks a Redis that has just failed, before it is refused', async () => {
    const made = recorder();
    server.freeze();
    const waiting = made.record(event('a'));
    // Sleeps: Redis counts as failed once it has been waited for, which nothing shows.
    await new Promise((resolve) => setTimeout(resolve, REDIS_WAIT_MS_MAX + 100));
    server.thaw();
    await waiting;
    // Redis rests; the disk refuses; all the same nobody is.
    await made.record(event('b'));
    expect(isAble(made)).to.equal(true);
    expect((await recorded()).map(({ id }) => id)).to.deep.equal(['a', 'b']);
  });

  it('leaves nothing behind on a full disk but what it had, and is counted when Redis is back', async () => {
    await rm(spoolDir);
    await server.kill();
    const child = join(import.meta.dirname, 'support/full-disk.ts');
    const started = spawn(
      'sh',
      ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, child, server.url, spoolDir],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'] ?? '' },
      },
    );
    try {
      const said: string[] = [];
      createInterface({ input: started.stdout }).on('line', (line) => said.push(line));
      await until(() => said.length === 3);
      expect(said).to.deep.equal(['UNAVAILABLE', 'UNAVAILABLE', 'unable']);
      expect(await readdir(spoolDir)).to.deep.equal([]);
      await server.start();
      await until(() => said.length === 4);
      if (started.exitCode === null) await once(started, 'exit');
      await until(() => redis.status === 'ready');
      expect((await recorded()).map(({ id }) => id).sort()).to.deep.equal(['full-1', 'full-2']);
    } finally {
      started.kill('SIGKILL');
    }
  });
});
