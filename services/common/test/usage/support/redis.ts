import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedisBinary } from '../../../../../deploy/local/src/stack/redis-binary.ts';
import { freePorts } from '../../../../../deploy/local/src/stack/ports.ts';

/** Where the embedded stack keeps the Redis it unpacked. */
const redisCacheDir = join(import.meta.dirname, '../../../../../node_modules/.cache/penstock/redis');

/** A real redis-server that a test can stop, start, freeze and thaw. Its data survives all of that. */
export interface TestRedis {
  readonly url: string;
  /** A connection that fails at once while Redis is away; closed with the server. */
  connect(): Redis;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process in its tracks: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** No other process is handed it out. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

export async function startTestRedis(): Promise<TestRedis> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'penstock-redis-'));
  const url = `redis://127.0.0.1:${port}`;
  const connections: Redis[] = [];
  const binary = await findRedisBinary(redisCacheDir);
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--bind', '127.0.0.1'];
    child = spawn(binary.path, ['--port', String(port), '--dir', dir, ...settings], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] ?? '', ...binary.env },
    });
    child.on('error', () => undefined);
    const probe = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    try {
      await Promise.race([
        probe.ping(),
        once(child, 'exit').then(() => Promise.reject(new Error('redis-server ended'))),
      ]);
    } finally {
      probe.disconnect();
    }
  }

  async function kill(): Promise<void> {
    const dying = child;
    child = null;
    if (dying === null || dying.exitCode !== null) return;
    dying.kill('SIGKILL');
    await once(dying, 'exit');
  }

  await start();
  return {
    url,
    connect() {
      const redis = new Redis(url, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => 50,
        lazyConnect: false,
      });
      redis.on('error', () => undefined);
      connections.push(redis);
      return redis;
    },
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      for (const redis of connections) redis.disconnect();
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
