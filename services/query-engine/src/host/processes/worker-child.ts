/** A worker as the system has it: its process, the pipes to it, and their end. */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Socket } from 'node:net';
import { openReceiver, openSender, type Pieces } from '../../pipe/channel.ts';
import { FROM_HOST_FD, RESULTS_FD, TO_HOST_FD } from '../../pipe/limits.ts';
import type { FromWorker, ResultFromWorker, ToWorker } from '../../pipe/messages.ts';
import { COMPUTING_NICENESS } from '../../limits.ts';
import { CLOSE_MS_MAX } from '../limits.ts';

/** How a worker is started. */
export interface WorkerCommand {
  readonly file: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It lets all other processes go first. Linux alone has priorities of threads. */
  readonly givesWay?: boolean;
}

export interface ChildEvents {
  onControl(message: FromWorker): void;
  onResult(message: ResultFromWorker, bytes: Pieces): void;
  /** It is gone, and all that it said was heard. Told once. */
  onGone(): void;
}

export interface WorkerChild {
  /** None where it could not be started. */
  readonly pid: number | undefined;
  send(message: ToWorker, bytes?: Uint8Array): void;
  /** Tells it to end by itself, so that it can deliver its traces; it is killed where that takes long. */
  end(): void;
  kill(): void;
}

/** On Linux that is the process's first thread, and what that starts; DuckDB's threads give way by themselves. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, COMPUTING_NICENESS);
  } catch {
    // The system does not allow it, or the process is gone: all are equal, as they were.
  }
}

export function startChild(command: WorkerCommand, events: ChildEvents): WorkerChild {
  const { file, flags, env, givesWay = false } = command;
  const child = spawn(process.execPath, [...flags, file], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe', 'pipe'],
  });
  if (givesWay && child.pid !== undefined) lowerPriority(child.pid);
  const kill = (): void => void child.kill('SIGKILL');
  // The process, and the two pipes that it says something on.
  let parts = 3;
  const onePartGone = (): void => {
    parts--;
    // Whoever broke the pipe, without it the process is of no use.
    if (parts > 0) kill();
    else events.onGone();
  };
  child.once('exit', onePartGone);
  child.once('error', () => {
    // It could not be started: no exit follows.
    if (child.pid === undefined) onePartGone();
  });
  const socketOf = (fd: number): Socket => child.stdio[fd] as Socket;
  openReceiver<FromWorker>(socketOf(TO_HOST_FD), {
    onMessage: (message) => events.onControl(message),
    onEnd: onePartGone,
  });
  openReceiver<ResultFromWorker>(socketOf(RESULTS_FD), {
    onMessage: (message, bytes) => events.onResult(message, bytes),
    onEnd: onePartGone,
  });
  const input = socketOf(FROM_HOST_FD);
  const { send } = openSender<ToWorker>(input);
  return {
    pid: child.pid,
    send,
    kill,
    end() {
      input.destroy();
      setTimeout(kill, CLOSE_MS_MAX).unref();
    },
  };
}
