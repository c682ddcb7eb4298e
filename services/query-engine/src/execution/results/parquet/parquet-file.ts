/** One Parquet file as it goes out: the row groups of files that DuckDB wrote, one after the other, and a footer of all. */
import { open, type FileHandle } from 'node:fs/promises';
import { BATCH_BYTES } from '../../limits.ts';
import type { RowBatch } from '../page.ts';
import { MAGIC, TAIL_BYTES, createFooterWriter, footerRange } from './footer.ts';

export interface ParquetFile {
  /** Puts a file's row groups behind those so far; yields their bytes. The file stays where it is. */
  add(path: string): AsyncGenerator<RowBatch>;
  /** After the last, of which there must be one. */
  end(): RowBatch;
  /** Rows so far. */
  readonly rowCount: number;
}

async function bytesAt(file: FileHandle, from: number, to: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  if (bytesRead < bytes.length) throw new Error('parquet: a file is shorter than it was');
  return bytes;
}

/** `names`: as JSON has them; a name that comes twice is told apart. */
export function createParquetFile(names: readonly string[]): ParquetFile {
  const footer = createFooterWriter(names);
  let offset = 0;
  let rowCount = 0;
  return {
    async *add(path) {
      const file = await open(path, 'r');
      try {
        const { size } = await file.stat();
        const { start, end } = footerRange(size, await bytesAt(file, size - TAIL_BYTES, size));
        if (offset === 0) {
          yield { json: Uint8Array.from(MAGIC), rowCount: 0 };
          offset = MAGIC.length;
        }
        const rows = footer.add(await bytesAt(file, start, end), offset);
        rowCount += rows;
        let counted = rows;
        for (let at = MAGIC.length; at < start; at += BATCH_BYTES) {
          const bytes = await bytesAt(file, at, Math.min(at + BATCH_BYTES, start));
          offset += bytes.length;
          yield { json: bytes, rowCount: counted };
          counted = 0;
        }
      } finally {
        await file.close();
      }
    },
    end: () => ({ json: Uint8Array.from(footer.end()), rowCount: 0 }),
    get rowCount() {
      return rowCount;
    },
  };
}
