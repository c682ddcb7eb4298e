/** What the main threads of other processes have worked. */
import { parseProcessStat } from '@penstock/common/process/process-stat.ts';
import { openProcFile } from './proc-file.ts';

/** Of another process; to be closed when that has ended. */
export interface ThreadTimeProbe {
  /** What its main thread has had of a processor so far, milliseconds; null where the system does not tell. */
  read(): number | null;
  close(): void;
}

export function openThreadTimeProbe(pid: number): ThreadTimeProbe {
  const file = openProcFile(`/proc/${pid}/task/${pid}/stat`);
  return {
    read() {
      const stat = file.read();
      return stat === null ? null : parseProcessStat(stat).cpuMs;
    },
    close: () => file.close(),
  };
}
