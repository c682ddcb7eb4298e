/** Watches what a worker's process holds in memory: the fuller it is, the more often. */
import { COLLECT_EVERY_MS, MEMORY_LOOK_MS, ROOM_SHARE } from '../limits.ts';
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

export interface MemoryWatchOptions {
  readonly pid: number;
  readonly bytesMax: number;
  /** A look found more than `bytesMax`. */
  readonly onFull: () => void;
  /** A look found little room left: told once in COLLECT_EVERY_MS. V8 does not know of this bound, and leaves garbage alone. */
  readonly onFilling: () => void;
  readonly now?: () => number;
}

export function createMemoryWatch(options: MemoryWatchOptions): MemoryWatch {
  const { pid, bytesMax, onFull, onFilling, now = () => performance.now() } = options;
  const probe = openMemoryProbe(pid);
  let last: number | null = null;
  let toldAt = -Infinity;
  let lookingCloser: NodeJS.Timeout | null = null;
  const rest = (): void => {
    if (lookingCloser !== null) clearInterval(lookingCloser);
    lookingCloser = null;
  };
  const look = (): void => {
    last = probe.read();
    if (last === null) return;
    if (last > bytesMax) onFull();
    else if (last > bytesMax * ROOM_SHARE && now() - toldAt >= COLLECT_EVERY_MS) {
      toldAt = now();
      onFilling();
    }
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
