/** Standard output for log lines, in batches: a write for each line would cost as much as the rest of a short call. */
import { pino, type DestinationStream } from 'pino';

/** A line waits for this many bytes or milliseconds, whichever comes first. */
const BUFFER_BYTES = 4_096;
const BUFFER_MS = 50;
/** Where nobody reads the output, lines beyond this are dropped, so that they do not fill the memory. */
const UNREAD_BYTES_MAX = 16 * 1_024 * 1_024;

/** Standard output that can be waited for. */
interface BatchedOutput extends DestinationStream {
  /** Writes what waits; `done` once all is written, or cannot be. */
  flush(done?: () => void): void;
  flushSync(): void;
}

/**
 * A process that ends writes the lines that wait. One that is killed loses them. The timer runs only while a line
 * waits, so that an idle process does not wake up.
 */
export function batchedOutput(): BatchedOutput {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    maxLength: UNREAD_BYTES_MAX,
  });
  let waiting = false;
  const flush = (): void => {
    waiting = false;
    stream.flush();
  };
  return {
    write(line) {
      stream.write(line);
      if (waiting) return;
      waiting = true;
      setTimeout(flush, BUFFER_MS).unref();
    },
    flush: (done = () => undefined) => stream.flush(() => done()),
    // Called for a line of level fatal. A synchronous write would overtake the batch that is still being written, so
    // whoever ends the process waits for `flush` instead.
    flushSync: () => stream.flush(),
  };
}
