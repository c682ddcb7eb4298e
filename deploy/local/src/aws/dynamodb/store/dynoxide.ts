import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../../stack/ports.ts';
import { BACKEND_START_ATTEMPTS_MAX, BACKEND_START_MS_MAX, BACKEND_STOP_MS_MAX } from '../../limits.ts';
import type { Backend, Emulator } from './backend.ts';

/**
 * Runs "$@" and ends it when this process's stdin closes, which the kernel does however its parent ends,
 * SIGKILL included. Ends when the program has ended: a signal interrupts the first wait, not the second.
 */
const WATCHDOG = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
trap 'kill "$program" 2>/dev/null' TERM INT
{ read -r _ <&3; kill -9 "$program"; } >/dev/null 2>&1 &
reader=$!
wait "$program"
wait "$program" 2>/dev/null
kill "$reader" 2>/dev/null
`;

/** Path of the emulator's program, or undefined where there is none for this platform. */
export function findDynoxide(): string | undefined {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch {
    return undefined;
  }
}

/** dynoxide processes, each on one SQLite file and behind a watchdog shell. */
export function dynoxide(program: string): Emulator {
  return {
    overcountsCutPages: true,
    keepsSqliteFile: true,
    ignoresCaseOfPrefixes: true,
    start: (path) => startSomewhere(program, path),
  };
}

async function startSomewhere(program: string, path: string): Promise<Backend> {
  mkdirSync(dirname(path), { recursive: true });
  for (let attempt = 1; ; attempt += 1)
    try {
      const [port = 0] = await freePorts(1);
      return await startOnce(program, `${path}.db`, port);
    } catch (error) {
      if (attempt === BACKEND_START_ATTEMPTS_MAX) throw error;
      await delay(20 * attempt);
    }
}

async function startOnce(program: string, file: string, port: number): Promise<Backend> {
  const args = ['-c', WATCHDOG, 'sh', program, '--port', String(port), '--db-path', file];
  const child = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    await announced(child, ended);
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
  child.stderr?.resume();
  child.stdin?.on('error', () => undefined);
  return {
    port,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () => stop(child, ended),
  };
}

/** Waits for the line that dynoxide prints to stderr once it listens. */
async function announced(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const signal = AbortSignal.timeout(BACKEND_START_MS_MAX);
  const line = child.stderr && once(child.stderr, 'data', { signal });
  const failed = ended.then(() => {
    throw new Error(
      'The DynamoDB emulator ended while it started; is its data file readable and its port free?',
    );
  });
  await Promise.race([line, failed]);
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.stdin?.destroy(), BACKEND_STOP_MS_MAX);
  await ended;
  clearTimeout(killer);
}
