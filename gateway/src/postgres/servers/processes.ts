/** Processes as Linux tells of them, in files that every user may read. Elsewhere there is nothing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

export interface ProcessFacts {
  readonly parent: number;
  /** It runs, or would where a processor was free. */
  readonly isRunnable: boolean;
  /** Processor time, in ticks of 10 ms. */
  readonly ticks: number;
  /** When it began, in ticks since the system did: with its number, a process's own for ever. */
  readonly started: string;
}

const text = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

/** Null where there is no such process. */
export function processFacts(pid: number): ProcessFacts | null {
  const stat = text(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in brackets may hold anything, brackets too. After it come state, parent, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    isRunnable: fields[0] === 'R',
    ticks: Number(fields[11]) + Number(fields[12]),
    started: fields[19] ?? '',
  };
}

export interface MemoryFacts {
  /** Bytes that are its own. */
  readonly own: number;
  /** Bytes of files and of shared memory that it has touched. */
  readonly shared: number;
}

const PAGE_BYTES = 4096;

export function processMemory(pid: number): MemoryFacts | null {
  const pages = text(`/proc/${pid}/statm`)?.split(' ').map(Number);
  if (pages === undefined) return null;
  const [, resident = 0, shared = 0] = pages;
  return { own: (resident - shared) * PAGE_BYTES, shared: shared * PAGE_BYTES };
}

/** Words between which there is nothing readable; empty where there is no such process. */
export const commandLine = (pid: number): string => text(`/proc/${pid}/cmdline`) ?? '';

/** Numbers of all processes. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Processes of PostgreSQL whose command line has the text: of a server's name, all of its. */
export const processesNamed = (name: string): readonly number[] =>
  processIds().filter((pid) => {
    const line = commandLine(pid);
    return line.includes(name) && /^postgres: |^[^\0]*bin\/postgres\0/.test(line);
  });

/** Sends a signal, to a process that may be gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Linux takes one change of a group's niceness in 100 ms from all that are not root: who comes too soon tries again. */
const GROUP_TRIES_MAX = 30;
const GROUP_PAUSE_MS = 100;

function lowerGroup(pid: number, niceness: number, tries = GROUP_TRIES_MAX): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    // Otherwise there are no groups, or it has ended.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || tries === 1) return;
    setTimeout(() => lowerGroup(pid, niceness, tries - 1), GROUP_PAUSE_MS * (1 + Math.random())).unref();
  }
}

/**
 * Lets a process run after others. Where Linux groups processes by session (autogroups), niceness counts within a group alone,
 * and each session with PostgreSQL is a group; then the group's own niceness says it.
 */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended, or root may not in this container: it then competes as others do.
  }
  lowerGroup(pid, niceness);
}
