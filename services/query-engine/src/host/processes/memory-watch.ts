/** Watches what a worker's process holds in memory: the fuller it is, the more often. */
import { MEMORY_LOOK_MS } from '../limits.ts';
import { openMemoryProbe } from './resident-memory.ts';

const MIB = 1024 * 1024;

export interface MemoryWatch {
  /** Bytes, now; null where nobody knows. */
  read(): number | null;
  /** Reads it, and tells where it is too much; half full, it goes on looking by itself until `rest`. */
  look(): void;
  rest(): void;
  /** What it held when it was looked at last; null where nobody knows. */
  lastMb(): number | null;
  close(): void;
}

/** `onFull` is told whenever a look finds more than `bytesMax`. */
export function createMemoryWatch(pid: number, bytesMax: number, onFull: () => void): MemoryWatch {
  const probe = openMemoryProbe(pid);
  let last: number | null = null;
  let lookingCloser: NodeJS.Timeout | null = null;
  const rest = (): void => {
    if (lookingCloser !== null) clearInterval(lookingCloser);
    lookingCloser = null;
  };
  const look = (): void => {
    last = probe.read();
    if (last === null) return;
    if (last > bytesMax) onFull();
    if (last > bytesMax / 2) lookingCloser ??= setInterval(look, MEMORY_LOOK_MS);
    else rest();
  };
  return {
    read: () => probe.read(),
    look,
    rest,
    lastMb: () => (last === null ? null : Math.round(last / MIB)),
    close() {
      rest();
      probe.close();
    },
  };
}
