import { readdirSync } from 'node:fs';
import { processStat } from '../../../services/common/src/process/process-stat.ts';

/**
 * CPU seconds of this process and of all processes that it has started, those that ended and were waited for among them.
 * Null where there is no /proc. A process that left the tree (its parent ended first) is no longer counted.
 */
export function treeCpuSeconds(): number | null {
  const children = new Map<number, number[]>();
  const cpuMs = new Map<number, number>();
  try {
    for (const entry of readdirSync('/proc')) {
      const stat = /^\d+$/.test(entry) ? processStat(entry) : null;
      if (stat === null) continue;
      const pid = Number(entry);
      children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
      cpuMs.set(pid, stat.cpuMs + stat.endedChildrenCpuMs);
    }
  } catch {
    return null;
  }
  const sumOf = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + sumOf(child), cpuMs.get(pid) ?? 0);
  return sumOf(process.pid) / 1_000;
}
