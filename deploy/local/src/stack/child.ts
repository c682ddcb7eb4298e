import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a process may take to end after SIGTERM; its own drain is bounded to less. */
const STOP_TIMEOUT_MS = 15_000;

const RESTART_DELAY_MS = { first: 200, max: 5_000 };

/** Between two looks at whether a process is healthy: ever longer, since each look takes from those that start. */
const LOOK_MS = { first: 20, max: 150, perWaited: 1 / 20 };

/** It is given up by whoever waits for it to be healthy, but started again all the same. */
const DEATHS_MAX = 3;

/** A process that has run so long was healthy: the next delay starts small again. */
const STEADY_AFTER_MS = 10_000;

export interface ChildSpec {
  /** Unique in the stack; names the log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** True once it can do its work. */
  readonly healthy: () => Promise<boolean>;
}

/** Arguments and settings that a process is started with from now on, beside those of its `ChildSpec`. */
export interface ChildChange {
  /** Go before the other arguments. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Child {
  readonly name: string;
  readonly pid: () => number | undefined;
  /** Kills it and starts it again at once, with this change in place of that of an earlier restart. */
  restart(change?: ChildChange): Promise<void>;
  /** Resolves when healthy. @throws Error that names its log when it keeps dying or the time is over */
  whenHealthy(timeoutMs: number): Promise<void>;
  /** Rejects, and never resolves: with the same error, when it has died more often than it may. */
  readonly keepsDying: Promise<never>;
  /** SIGTERM, then SIGKILL; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ChildEvents {
  started(pid: number): void;
  ended(pid: number): void;
}

/** Starts a process and starts it again, with growing delays, whenever it ends unasked. */
export function superviseChild(spec: ChildSpec, events: ChildEvents): Child {
  const log: WriteStream = createWriteStream(spec.logFile, { flags: 'a' });
  let child: ChildProcess | null = null;
  let change: ChildChange = {};
  let stopping = false;
  /** Somebody asked for its end, and starts it again. */
  let restarting = false;
  let waiting: NodeJS.Timeout | undefined;
  /** In a row, each soon after its start: the next delay is longer. */
  let deaths = 0;
  let deathsEver = 0;
  const unhealthy = (): Error => new Error(`${spec.name} does not become healthy; see ${spec.logFile}`);
  const dying = Promise.withResolvers<never>();
  dying.promise.catch(() => undefined);

  const start = (): void => {
    const startedAt = Date.now();
    const started = spawn(spec.command, [...(change.args ?? []), ...spec.args], {
      env: { ...spec.env, ...change.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    if (started.pid !== undefined) events.started(started.pid);
    started.stdout.pipe(log, { end: false });
    started.stderr.pipe(log, { end: false });
    started.once('error', (error) => log.write(`${spec.name} could not be started: ${error.message}\n`));
    started.once('close', (code, signal) => {
      if (started.pid !== undefined) events.ended(started.pid);
      child = null;
      if (stopping || restarting) return;
      deathsEver++;
      deaths = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : deaths + 1;
      if (deaths > DEATHS_MAX) dying.reject(unhealthy());
      log.write(`${spec.name} ended (${signal ?? code}); starting it again\n`);
      const wait = Math.min(RESTART_DELAY_MS.first * 2 ** (deaths - 1), RESTART_DELAY_MS.max);
      waiting = setTimeout(() => {
        if (!stopping) start();
      }, wait);
    });
  };
  start();

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    if (running === null) return;
    const gone = once(running, 'close');
    running.kill(signal);
    const killer = setTimeout(() => running.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(killer);
  };

  return {
    name: spec.name,
    pid: () => child?.pid,
    keepsDying: dying.promise,
    async whenHealthy(timeoutMs) {
      const startedAt = Date.now();
      const deathsBefore = deathsEver;
      while (!(await spec.healthy())) {
        if (stopping) throw new Error(`${spec.name} was stopped while starting`);
        const waitedMs = Date.now() - startedAt;
        if (deathsEver - deathsBefore > DEATHS_MAX || waitedMs > timeoutMs) throw unhealthy();
        await delay(Math.min(LOOK_MS.first + waitedMs * LOOK_MS.perWaited, LOOK_MS.max));
      }
    },
    async restart(wanted = {}) {
      change = wanted;
      restarting = true;
      clearTimeout(waiting);
      await end('SIGKILL');
      restarting = false;
      deaths = 0;
      if (!stopping) start();
    },
    async stop() {
      stopping = true;
      await end('SIGTERM');
      await new Promise<void>((done) => log.end(() => done()));
    },
  };
}
