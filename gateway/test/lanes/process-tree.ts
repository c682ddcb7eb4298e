import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time in hundredths of a second, whatever the processor (`man 5 proc`, USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/<pid>/stat behind the command's name in parentheses, which may hold spaces. */
const PARENT = 1;
const CPU_TICKS = [11, 12, 13, 14] as const;

/**
 * CPU seconds of this process and of all processes that it has started, those that ended and were waited for among them.
 * Null where there is no /proc. A process that left the tree (its parent ended first) is no longer counted.
 */
export function treeCpuSeconds(): number | null {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const fields = statFields(entry);
      if (fields === null) continue;
      const pid = Number(entry);
      const parent = Number(fields[PARENT]);
      children.set(parent, [...(children.get(parent) ?? []), pid]);
      ticks.set(
        pid,
        CPU_TICKS.reduce((sum, field) => sum + Number(fields[field]), 0),
      );
    }
  } catch {
    return null;
  }
  const sumOf = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + sumOf(child), ticks.get(pid) ?? 0);
  return sumOf(process.pid) / TICKS_PER_SECOND;
}

/** Null where the process has ended between the list and the look. */
function statFields(pid: string): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
