/** The memory of other processes. */
import { readFileSync } from 'node:fs';
import { openProcFile } from './proc-file.ts';

/** Of another process; to be closed when that has ended. */
export interface MemoryProbe {
  /**
   * Resident bytes of its own: programs and libraries, some 110 MB of a worker, are in memory once for all processes that
   * run them, and go when memory is scarce. Null where the system does not tell (it is not Linux), or the process is gone.
   * Then nobody watches the memory but the system itself, and V8 its heap.
   */
  read(): number | null;
  close(): void;
}

/** `statm` counts in pages, which not every system has of the same size: what this process has is known in both. */
function pageBytes(): number {
  const pages = Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1]);
  return 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
}

let pageBytesKnown: number | null = null;

export function openMemoryProbe(pid: number): MemoryProbe {
  const file = openProcFile(`/proc/${pid}/statm`);
  return {
    read() {
      const [, resident = 0, shared = 0] = (file.read() ?? '').split(' ').map(Number);
      const pages = resident - shared;
      return pages > 0 ? pages * (pageBytesKnown ??= pageBytes()) : null;
    },
    close: () => file.close(),
  };
}
