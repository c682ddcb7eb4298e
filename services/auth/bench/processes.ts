import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

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
