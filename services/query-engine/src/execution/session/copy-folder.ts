/** Files that DuckDB copies results to: in a folder of the process's own, bounded together, gone once they were sent. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { COPY_LOOK_MS } from '../limits.ts';

/** A file that is to be. */
export interface CopyFile {
  readonly path: string;
  /** Aborts when it gets too large, with the error to answer with. */
  readonly ending: AbortSignal;
  /** It grows no more. */
  written(): void;
  remove(): Promise<void>;
}

export interface CopyFolder {
  open(): Promise<CopyFile>;
}

const tooLarge = (): PenstockError =>
  new PenstockError('RESOURCE_EXHAUSTED', 'The result is larger than the disk that results may take', {
    detail: 'Ask for fewer rows or columns, or for several files by ranges of the key',
  });

/** `bytesMax`: of all files together. The folder is made when it is first needed. */
export function createCopyFolder(folder: string, bytesMax: number): CopyFolder {
  const sizes = new Map<string, number>();
  const total = (): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return {
    async open() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${randomUUID()}.parquet`);
      const tooMuch = new AbortController();
      const look = async (): Promise<void> => {
        sizes.set(path, (await stat(path).catch(() => null))?.size ?? 0);
        if (total() > bytesMax) tooMuch.abort(tooLarge());
      };
      sizes.set(path, 0);
      const timer = setInterval(() => void look(), COPY_LOOK_MS);
      timer.unref();
      return {
        path,
        ending: tooMuch.signal,
        written: () => clearInterval(timer),
        async remove() {
          clearInterval(timer);
          await rm(path, { force: true });
          sizes.delete(path);
        },
      };
    },
  };
}
