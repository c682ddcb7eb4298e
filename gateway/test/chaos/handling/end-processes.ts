import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PROCESS_LIST_BYTES_MAX = 16 * 1024 * 1024;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends what is left of a process group. */
export const endGroup = (leader: number): void => kill(-leader);

/** Ends whatever has this path of ours in its command line. */
export async function endProcessesOf(path: string): Promise<void> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,command='], {
    maxBuffer: PROCESS_LIST_BYTES_MAX,
  });
  for (const line of stdout.split('\n')) {
    const pid = Number(/^\s*(\d+)\s/.exec(line)?.[1] ?? NaN);
    if (line.includes(path) && pid !== process.pid) kill(pid);
  }
}
