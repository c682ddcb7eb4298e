/** What a process uses, as the system says. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function ps(pid: number, column: string): Promise<string> {
  const { stdout } = await run('ps', ['-o', `${column}=`, '-p', String(pid)]);
  return stdout.trim();
}

/** Resident memory now, MB. */
export async function residentMb(pid: number): Promise<number> {
  return (Number(await ps(pid, 'rss')) * 1024) / 1e6;
}

/** CPU time so far, whole seconds. */
export async function cpuS(pid: number): Promise<number> {
  const parts = (await ps(pid, 'time')).split(/[:-]/).map(Number);
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** The most resident memory that the process had during the work, MB, looked at every 50 ms. */
export async function peakResidentMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = await residentMb(pid);
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(async () => void (peak = Math.max(peak, await residentMb(pid))));
  }, 50);
  try {
    await work();
    await looking;
  } finally {
    clearInterval(timer);
  }
  return peak;
}
