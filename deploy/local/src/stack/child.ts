import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a process may take to end after SIGTERM; its own drain is bounded to less. */
const STOP_TIMEOUT_MS = 15_000;

const RESTART_DELAY_MS = { first: 200, max: 5_000 };

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

export interface Child {
  readonly name: string;
  readonly pid: () => number | undefined;
  /** Resolves when healthy. @throws Error with the end of its log when it keeps dying or the time is over */
  whenHealthy(timeoutMs: number): Promise<void>;
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
  let stopping = false;
  let deaths = 0;

  const start = (): void => {
    const startedAt = Date.now();
    const started = spawn(spec.command, spec.args, { env: spec.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    if (started.pid !== undefined) events.started(started.pid);
    started.stdout.pipe(log, { end: false });
    started.stderr.pipe(log, { end: false });
    started.once('error', (error) => log.write(`${spec.name} could not be started: ${error.message}\n`));
    started.once('close', (code, signal) => {
      if (started.pid !== undefined) events.ended(started.pid);
      child = null;
      if (stopping) return;
      deaths = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : deaths + 1;
      log.write(`${spec.name} ended (${signal ?? code}); starting it again\n`);
      const wait = Math.min(RESTART_DELAY_MS.first * 2 ** (deaths - 1), RESTART_DELAY_MS.max);
      setTimeout(() => {
        if (!stopping) start();
      }, wait);
    });
  };
  start();

  return {
    name: spec.name,
    pid: () => child?.pid,
    async whenHealthy(timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!(await spec.healthy())) {
        if (stopping) throw new Error(`${spec.name} was stopped while starting`);
        if (deaths > 3 || Date.now() > deadline) {
          throw new Error(`${spec.name} does not become healthy; see ${spec.logFile}`);
        }
        await delay(30);
      }
    },
    async stop() {
      stopping = true;
      const running = child;
      if (running !== null && running.exitCode === null && running.signalCode === null) {
        const gone = once(running, 'close');
        running.kill('SIGTERM');
        const killer = setTimeout(() => running.kill('SIGKILL'), STOP_TIMEOUT_MS);
        await gone;
        clearTimeout(killer);
      }
      await new Promise<void>((done) => log.end(() => done()));
    },
  };
}
