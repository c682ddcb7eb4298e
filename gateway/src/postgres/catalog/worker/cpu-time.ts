import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second (USER_HZ, proc(5)). */
const MS_PER_TICK = 10;
/** `utime` and `stime` of /proc/<pid>/stat, counted behind the command's name, which may have blanks in it. */
const UTIME = 11;
const STIME = 12;

/** CPU time of a process so far, milliseconds; null where the system does not tell. */
export function cpuTimeMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
