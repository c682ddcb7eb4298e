/** Rows as the bytes that came, found by their number. A row is read when it is shown. */
const LINE_FEED = 0x0a;

interface Block {
  readonly firstRow: number;
  readonly bytes: Uint8Array;
  /** Where each row begins; one more than there are rows. The line feed before the next is not part of a row. */
  readonly starts: Uint32Array;
}

/** A line that is no row: an object. */
export type OtherLine = (line: Uint8Array) => void;

export interface RowStore {
  readonly rowCount: number;
  readonly byteCount: number;
  /** Takes the next bytes of the stream, cut anywhere. */
  add(chunk: Uint8Array): void;
  /** The JSON of a row. @throws RangeError where there is no such row */
  row(at: number): Uint8Array;
}

const OPENING_BRACE = 0x7b;

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function createRowStore(onOtherLine: OtherLine): RowStore {
  const blocks: Block[] = [];
  let rowCount = 0;
  let byteCount = 0;
  let unfinished: Uint8Array[] = [];

  const keepRows = (bytes: Uint8Array): void => {
    const starts: number[] = [0];
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
      starts.push(at + 1);
    blocks.push({ firstRow: rowCount, bytes, starts: Uint32Array.from(starts) });
    rowCount += starts.length - 1;
    byteCount += bytes.length + starts.length * Uint32Array.BYTES_PER_ELEMENT;
  };

  /** Where the next line that is an object begins, or the end. */
  const nextOther = (lines: Uint8Array): number => {
    for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1))
      if (lines[at + 1] === OPENING_BRACE) return at + 1;
    return lines.length;
  };

  /** Whole lines: rows, but for those that are objects, at the beginning, the end, or where columns have come. */
  const addLines = (lines: Uint8Array): void => {
    let rest = lines;
    while (rest.length > 0) {
      const isOther = rest[0] === OPENING_BRACE;
      const end = isOther ? rest.indexOf(LINE_FEED) + 1 : nextOther(rest);
      if (isOther) onOtherLine(rest.subarray(0, end - 1));
      else keepRows(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };

  const blockOf = (row: number): Block | undefined => {
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((blocks[middle]?.firstRow ?? Infinity) <= row) low = middle;
      else high = middle - 1;
    }
    return blocks[low];
  };

  return {
    get rowCount() {
      return rowCount;
    },
    get byteCount() {
      return byteCount;
    },
    add(chunk) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end === 0) {
        unfinished.push(chunk);
        return;
      }
      const lines = joined([...unfinished, chunk.subarray(0, end)]);
      unfinished = end < chunk.length ? [chunk.slice(end)] : [];
      addLines(lines);
    },
    row(at) {
      const block = blockOf(at);
      const start = block?.starts[at - block.firstRow];
      const end = block?.starts[at - block.firstRow + 1];
      if (block === undefined || start === undefined || end === undefined) {
        throw new RangeError(`there is no row ${at}`);
      }
      return block.bytes.subarray(start, end - 1);
    },
  };
}
