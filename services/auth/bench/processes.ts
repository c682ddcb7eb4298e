import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Of Linux: fixed at 100 for programs, whatever the kernel's own (proc(5), sysconf(3)). */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far: fields 14 and 15 of its stat, the name before them may hold anything. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

/** This process and all that it started, and they, and so on. */
async function ours(): Promise<readonly number[]> {
  const { stdout } = await execute('ps', ['-eo', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid, ...childrenOf(pid)] : []));
  return [process.pid, ...childrenOf(process.pid)];
}

/**
 * Gives the first core to `pids` alone, with all their threads, and the others to the rest of what this process started:
 * the client, the local AWS endpoint and the stores are no part of what is measured. False where the system has no such
 * command, or one core.
 */
export async function giveOneCore(pids: readonly number[]): Promise<boolean> {
  const last = availableParallelism() - 1;
  if (last === 0) return false;
  const move = (pid: number, cores: string): Promise<unknown> =>
    execute('taskset', ['-acp', cores, String(pid)]);
  try {
    for (const pid of pids) await move(pid, '0');
    // Of the others some have ended meanwhile.
    for (const pid of await ours())
      if (!pids.includes(pid)) await move(pid, `1-${last}`).catch(() => undefined);
    return true;
  } catch {
    return false;
  }
}
