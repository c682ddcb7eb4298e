/** What a process uses, as the system says. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { processStat } from '@penstock/common/process/process-stat.ts';

const run = promisify(execFile);

async function ps(...options: string[]): Promise<string> {
  const { stdout } = await run('ps', options);
  return stdout.trim();
}

/** A process and its children, as an engine's workers are. */
async function withChildren(pid: number): Promise<readonly number[]> {
  const pairs = (await ps('-A', '-o', 'pid=,ppid='))
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))];
}

/** A process's part of the memory that is resident, KiB: what several share counts once (Pss), where the system tells. */
async function ownResidentKb(pid: number): Promise<number> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return Number(await ps('-o', 'rss=', '-p', String(pid)));
  }
}

/** Resident memory now of a process, and then of each of its children, MB. */
export async function residentOfEachMb(pid: number): Promise<readonly number[]> {
  const sizes = await Promise.all((await withChildren(pid)).map(ownResidentKb));
  return sizes.map((size) => (size * 1024) / 1e6);
}

/** Resident memory now of a process and its children, MB. */
export async function residentMb(pid: number): Promise<number> {
  return (await residentOfEachMb(pid)).reduce((sum, size) => sum + size, 0);
}

async function ownCpuS(pid: number): Promise<number> {
  const stat = processStat(pid);
  if (stat !== null) return stat.cpuMs / 1_000;
  const parts = (await ps('-o', 'time=', '-p', String(pid))).split(/[:-]/).map(Number);
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** CPU time so far of a process and of each of its children, of all their threads; seconds, by process ID. */
export async function cpuOfEachS(pid: number): Promise<ReadonlyMap<number, number>> {
  const pids = await withChildren(pid);
  return new Map(await Promise.all(pids.map(async (each) => [each, await ownCpuS(each)] as const)));
}

/** CPU time so far of a process and its children together; seconds, to a hundredth where the system tells. */
export async function cpuS(pid: number): Promise<number> {
  return [...(await cpuOfEachS(pid)).values()].reduce((sum, time) => sum + time, 0);
}

/** The most resident memory that the process and its children had during the work, MB, looked at every 100 ms. */
export async function peakResidentMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = await residentMb(pid);
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(async () => void (peak = Math.max(peak, await residentMb(pid))))
      // The process is gone: what the work fails with tells more.
      .catch(() => undefined);
  }, 100);
  try {
    await work();
    await looking;
  } finally {
    clearInterval(timer);
  }
  return peak;
}
