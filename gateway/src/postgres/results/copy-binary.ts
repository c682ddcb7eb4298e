/** Rows as `COPY … (FORMAT binary)` has them: PostgreSQL, "COPY", File Formats, Binary Format. */
import { int16, int32 } from '../wire/fields-out.ts';
import type { Row } from './open-result.ts';

/** The signature, no flags, no extension. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int32(0), int32(0)]);

/** Its cells are in binary format, of which a text is one. */
const rowBytes = (row: Row): Buffer =>
  Buffer.concat([
    int16(row.length),
    ...row.flatMap((cell) => {
      if (cell === null) return [int32(-1)];
      const bytes = typeof cell === 'string' ? Buffer.from(cell) : cell;
      return [int32(bytes.length), bytes];
    }),
  ]);

const TRAILER = int16(-1);

/** The rows of one COPY. As in PostgreSQL the header comes in one piece with what follows it, by which some clients read it. */
export function binaryCopy(): { readonly row: (row: Row) => Buffer; readonly end: () => Buffer } {
  let before: readonly Buffer[] = [HEADER];
  const behindHeader = (bytes: Buffer): Buffer => {
    const whole = before.length === 0 ? bytes : Buffer.concat([...before, bytes]);
    before = [];
    return whole;
  };
  return { row: (row) => behindHeader(rowBytes(row)), end: () => behindHeader(TRAILER) };
}
