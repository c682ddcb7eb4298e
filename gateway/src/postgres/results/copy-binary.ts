/** Rows as `COPY … (FORMAT binary)` has them: PostgreSQL, "COPY", File Formats, Binary Format. */
import { int16, int32 } from '../wire/fields-out.ts';
import type { Row } from './open-result.ts';

/** The signature, no flags, no extension. */
export const BINARY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int32(0), int32(0)]);

/** A row; its cells are in binary format, of which a text is one. */
export const binaryRow = (row: Row): Buffer =>
  Buffer.concat([
    int16(row.length),
    ...row.flatMap((cell) => {
      if (cell === null) return [int32(-1)];
      const bytes = typeof cell === 'string' ? Buffer.from(cell) : cell;
      return [int32(bytes.length), bytes];
    }),
  ]);

export const BINARY_TRAILER = int16(-1);
