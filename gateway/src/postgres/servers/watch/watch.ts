/** Looks at what servers take, from time to time, and ends what takes too much. On Linux alone: elsewhere nothing tells. */
import type { Logger } from '@penstock/common/logging/logger.ts';
import { BUSY_NICENESS, BUSY_SHARE, WATCH_CLOSELY_MS } from '../limits.ts';
import { lowerPriority, signalProcess } from '../processes.ts';
import type { RunningServer } from '../server.ts';
import { createProcessTable } from './process-table.ts';
import { endRunaway } from './runaway.ts';
import { sampleServer, type ProcessSample, type ServerSample } from './sample.ts';
import { tooLarge, type MemoryLimits, type Victim } from './too-large.ts';

export interface WatchLimits extends MemoryLimits {
  readonly WATCH_MS: number;
  readonly BUSY_CPU_MS: number;
  readonly STATEMENT_CPU_MS_MAX: number;
  readonly OBEY_MS_MAX: number;
}

export interface WatchedServer {
  readonly tenantId: string;
  readonly server: RunningServer;
}

export interface WatchFigures {
  /** Of all servers, at the last look. */
  readonly bytes: number;
  /** Sessions and servers that were ended since they took too much. */
  readonly endedForMemory: number;
  readonly endedForTime: number;
}

export interface Watch {
  /** Begins to look where it does not yet; it ends by itself where there are no servers. */
  wake(): void;
  figures(): WatchFigures;
  close(): void;
}

/** What is known of one process from look to look. */
interface Seen {
  ticks: number;
  /** Of processor time, without a pause. */
  busyMs: number;
  isLast: boolean;
  isChecked: boolean;
}

const TICK_MS = 10;

export function createWatch(options: {
  readonly servers: () => readonly WatchedServer[];
  readonly limits: WatchLimits;
  readonly logger: Logger;
  /** What took too much was ended, and what of. */
  readonly onEnded: (why: 'memory' | 'time') => void;
}): Watch {
  const { servers, limits, logger } = options;
  const table = createProcessTable();
  const seen = new Map<number, Seen>();
  /** Processes that were told to end, and when. */
  const told = new Map<number, number>();
  const figures = { bytes: 0, endedForMemory: 0, endedForTime: 0 };
  let timer: NodeJS.Timeout | null = null;
  let lastMs = performance.now();

  const checkRunaway = async ({ server, tenantId }: WatchedServer, pid: number, one: Seen): Promise<void> => {
    one.isChecked = true;
    try {
      if (await endRunaway(server, pid, limits)) {
        figures.endedForTime++;
        options.onEnded('time');
        logger.warn({ tenantId }, 'a PostgreSQL server was ended: a statement did not');
      }
    } catch {
      // It ended meanwhile, or has no room for a connection: the next look comes back to it.
    }
    one.isChecked = false;
    one.busyMs = 0;
  };
  const lookAtTime = (server: WatchedServer, sample: ProcessSample, elapsedMs: number): void => {
    const { pid, ticks, isRunnable } = sample;
    const one = seen.get(pid) ?? { ticks, busyMs: 0, isLast: false, isChecked: false };
    seen.set(pid, one);
    const workedMs = (ticks - one.ticks) * TICK_MS;
    one.ticks = ticks;
    // What waits for a processor has no pause either, however little it gets.
    const isBusy = isRunnable || workedMs > BUSY_SHARE * elapsedMs;
    one.busyMs = isBusy ? one.busyMs + workedMs : 0;
    if (one.busyMs > limits.BUSY_CPU_MS && !one.isLast) {
      one.isLast = true;
      lowerPriority(pid, BUSY_NICENESS);
    }
    if (one.busyMs > limits.STATEMENT_CPU_MS_MAX && !one.isChecked) void checkRunaway(server, pid, one);
  };
  const end = (
    { server: { pid: main, tenantId }, pid }: Victim,
    byPid: ReadonlyMap<number, RunningServer>,
  ): void => {
    const since = told.get(pid);
    if (since === undefined) {
      told.set(pid, performance.now());
      figures.endedForMemory++;
      options.onEnded('memory');
      logger.warn({ tenantId }, 'a session with a PostgreSQL server was ended: it took too much memory');
      signalProcess(pid, 'SIGTERM');
    } else if (performance.now() - since > limits.OBEY_MS_MAX) {
      told.delete(pid);
      logger.warn(
        { tenantId },
        'a PostgreSQL server was ended: a session took too much memory and did not end',
      );
      void byPid.get(main)?.end();
    }
  };
  const look = (): void => {
    timer = null;
    const watched = servers();
    const nowMs = performance.now();
    const elapsedMs = nowMs - lastMs;
    lastMs = nowMs;
    const byPid = new Map(watched.map(({ server }) => [server.pid, server]));
    const children = table.childrenOf(new Set(byPid.keys()));
    const samples = watched.map(({ tenantId, server: { pid } }): ServerSample =>
      sampleServer(tenantId, pid, children.get(pid) ?? []),
    );
    for (const sample of samples) {
      const server = byPid.get(sample.pid);
      if (server === undefined) continue;
      for (const child of sample.children)
        lookAtTime({ server, tenantId: sample.tenantId }, child, elapsedMs);
    }
    const there = new Set(samples.flatMap((sample) => sample.children.map(({ pid }) => pid)));
    for (const pid of seen.keys()) if (!there.has(pid)) seen.delete(pid);
    for (const pid of told.keys()) if (!there.has(pid)) told.delete(pid);
    figures.bytes = samples.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const victim of tooLarge(samples, limits)) end(victim, byPid);
    const isClose =
      figures.bytes > limits.ALL_SERVERS_BYTES_MAX / 2 ||
      samples.some(({ bytes }) => bytes > limits.SERVER_BYTES_MAX / 2);
    if (watched.length > 0) plan(isClose ? WATCH_CLOSELY_MS : limits.WATCH_MS);
  };
  const plan = (ms: number): void => {
    timer = setTimeout(look, ms);
    timer.unref();
  };
  return {
    wake() {
      if (timer !== null) return;
      lastMs = performance.now();
      plan(limits.WATCH_MS);
    },
    figures: () => ({ ...figures }),
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
