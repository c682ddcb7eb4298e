/** What Linux tells of a process or thread in /proc/<pid>/stat. */
import { readFileSync } from 'node:fs';

export interface ProcessStat {
  /** Of its command. */
  readonly name: string;
  /** The ID of the process that started it. */
  readonly parent: number;
  /** What it has had of a processor so far, as a user's program and within the kernel, milliseconds. */
  readonly cpuMs: number;
  /** The same of its children that have ended and were waited for, milliseconds. */
  readonly endedChildrenCpuMs: number;
  /** From -20, which goes first, to 19. */
  readonly niceness: number;
}

/** Linux counts CPU time in hundredths of a second, whatever the processor (USER_HZ, proc(5)). */
const MS_PER_TICK = 10;

/** The place of a field in what follows the name, by its number in proc_pid_stat(5): the third comes first there. */
const at = (number: number): number => number - 3;

/** Throws nothing: of a line that is none, numbers are NaN. */
export function parseProcessStat(line: string): ProcessStat {
  // A name may hold blanks and parentheses.
  const nameEnd = line.lastIndexOf(')');
  const fields = line
    .slice(nameEnd + 2)
    .split(' ')
    .map(Number);
  const ticks = (user: number, system: number): number =>
    ((fields[at(user)] ?? NaN) + (fields[at(system)] ?? NaN)) * MS_PER_TICK;
  return {
    name: line.slice(line.indexOf('(') + 1, nameEnd),
    parent: fields[at(4)] ?? NaN,
    cpuMs: ticks(14, 15),
    endedChildrenCpuMs: ticks(16, 17),
    niceness: fields[at(19)] ?? NaN,
  };
}

/** Of a process, or of a thread as `<pid>/task/<thread>`; null where it is gone, or the system is not Linux. */
export function processStat(id: number | string): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${id}/stat`, 'latin1'));
  } catch {
    return null;
  }
}
