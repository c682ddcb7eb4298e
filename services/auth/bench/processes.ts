import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Of Linux: fixed at 100 for programs, whatever the kernel's own (proc(5), sysconf(3)). */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far: fields 14 and 15 of its stat, the name before them may hold anything. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

/** Lets processes, with all their threads, run on the first core only. False where the system has no such command. */
export async function pinToOneCore(pids: readonly number[]): Promise<boolean> {
  try {
    for (const pid of pids) await promisify(execFile)('taskset', ['-acp', '0', String(pid)]);
    return true;
  } catch {
    return false;
  }
}
