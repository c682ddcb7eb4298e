import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { superviseChild, type Child, type ChildEvents } from './child.ts';
import { freePorts } from './ports.ts';
import { findRedisBinary } from './redis-binary.ts';

/** An unpacked Redis is kept with the installed packages: it goes when they go. */
const REDIS_CACHE_DIR = join(import.meta.dirname, '../../../../node_modules/.cache/penstock/redis');

const START_TIMEOUT_MS = 15_000;

/**
 * Every write is on disk before it is answered (`appendfsync always`): a recorded usage event must survive anything.
 * `noeviction`, since queues and usage may not be thrown away for memory.
 */
const REDIS_ARGS = [
  ['--bind', '127.0.0.1'],
  ['--save', ''],
  ['--appendonly', 'yes'],
  ['--appendfsync', 'always'],
  ['--maxmemory-policy', 'noeviction'],
  ['--daemonize', 'no'],
].flat();

export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The real Redis as a supervised process; its append-only file lives in `dataDir`. */
export async function redisChild(
  options: { readonly dataDir: string; readonly port: number; readonly logFile: string },
  events: ChildEvents,
): Promise<Child> {
  const binary = await findRedisBinary(REDIS_CACHE_DIR);
  await mkdir(options.dataDir, { recursive: true });
  return superviseChild(
    {
      name: 'redis',
      command: binary.path,
      args: ['--port', String(options.port), '--dir', options.dataDir, ...REDIS_ARGS],
      env: { PATH: process.env['PATH'] ?? '', ...binary.env },
      logFile: options.logFile,
      healthy: () => pings(options.port),
    },
    events,
  );
}

/** Redis alone, for tests: `port` 0 takes a free one. */
export async function startRedis(options: {
  readonly dataDir: string;
  readonly port: number;
}): Promise<RunningRedis> {
  const port = options.port === 0 ? (await freePorts(1))[0]! : options.port;
  await mkdir(options.dataDir, { recursive: true });
  const logFile = join(options.dataDir, 'redis.log');
  const child = await redisChild(
    { dataDir: options.dataDir, port, logFile },
    { started: () => undefined, ended: () => undefined },
  );
  await child.whenHealthy(START_TIMEOUT_MS);
  return { url: `redis://127.0.0.1:${port}`, port, close: () => child.stop() };
}

/** True when it answers PING with PONG, so it has also loaded its file. */
function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (healthy: boolean): void => {
      socket.destroy();
      resolve(healthy);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
  });
}
