import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a small file so that it holds either the old or the new content, whatever dies meanwhile: a new file
 * is written, synced and renamed over the old one, and the folder is synced.
 */
export function writeDurably(path: string, content: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = `${path}.new`;
  synced(temporary, 'w', (file) => writeSync(file, content));
  renameSync(temporary, path);
  synced(folder, 'r', () => undefined);
}

/** The file's text, or undefined when there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function synced(path: string, flags: string, act: (file: number) => unknown): void {
  const file = openSync(path, flags, 0o600);
  try {
    act(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
