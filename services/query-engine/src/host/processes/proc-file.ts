/** A file in which Linux tells of another process, read again and again: opened once, a read takes microseconds. */
import { closeSync, openSync, readSync } from 'node:fs';

export interface ProcFile {
  /** Its text, of one line; null where there is no such file, or the process is gone. */
  read(): string | null;
  close(): void;
}

const LINE_BYTES_MAX = 1_024;

export function openProcFile(path: string): ProcFile {
  const buffer = Buffer.alloc(LINE_BYTES_MAX);
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
  } catch {
    // It is not Linux, or the process has gone by now.
  }
  return {
    read() {
      if (file === null) return null;
      try {
        const length = readSync(file, buffer, 0, buffer.length, 0);
        return length === 0 ? null : buffer.toString('latin1', 0, length);
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
