/** What other processes and their main threads have worked. */
import { parseProcessStat } from '@penstock/common/process/process-stat.ts';
import { openProcFile } from './proc-file.ts';

/** Of another process; to be closed when that has ended. */
export interface CpuTimeProbe {
  /** What it has had of a processor so far, milliseconds; null where the system does not tell. */
  read(): number | null;
  close(): void;
}

/** Of the process's main thread. */
export function openThreadTimeProbe(pid: number): CpuTimeProbe {
  return openProbe(`/proc/${pid}/task/${pid}/stat`);
}

/** Of all its threads together. */
export function openProcessTimeProbe(pid: number): CpuTimeProbe {
  return openProbe(`/proc/${pid}/stat`);
}

function openProbe(path: string): CpuTimeProbe {
  const file = openProcFile(path);
  return {
    read() {
      const stat = file.read();
      return stat === null ? null : parseProcessStat(stat).cpuMs;
    },
    close: () => file.close(),
  };
}
