/** The memory of other processes. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Of another process; to be closed when that has ended. */
export interface MemoryProbe {
  /** Resident bytes; null where the system does not tell (it is not Linux), or the process is gone. */
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
  const buffer = Buffer.alloc(128);
  let file: number | null = null;
  try {
    pageBytesKnown ??= pageBytes();
    file = openSync(`/proc/${pid}/statm`, 'r');
  } catch {
    // Then nobody watches the memory but the system itself, and V8 its heap.
  }
  return {
    read() {
      if (file === null || pageBytesKnown === null) return null;
      try {
        const length = readSync(file, buffer, 0, buffer.length, 0);
        const pages = Number(buffer.toString('latin1', 0, length).split(' ')[1]);
        return pages > 0 ? pages * pageBytesKnown : null;
      } catch {
        return null;
      }
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
