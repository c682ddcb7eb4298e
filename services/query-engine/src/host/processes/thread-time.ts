/** What the main threads of other processes have worked. */
import { openProcFile } from './proc-file.ts';

/** Of another process; to be closed when that has ended. */
export interface ThreadTimeProbe {
  /** What its main thread has had of a processor so far, milliseconds; null where the system does not tell. */
  read(): number | null;
  close(): void;
}

/** A second has so many on every Linux that we know. */
const CLOCK_TICKS = 100;

export function openThreadTimeProbe(pid: number): ThreadTimeProbe {
  const file = openProcFile(`/proc/${pid}/task/${pid}/stat`);
  return {
    read() {
      const stat = file.read();
      if (stat === null) return null;
      // What follows the name, which may hold spaces: the state is the first of it, the 12th and 13th are clock ticks.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
    },
    close: () => file.close(),
  };
}
