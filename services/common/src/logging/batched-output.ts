/** Standard output for log lines, in batches: a write of its own costs a line as much as the rest of a short call. */
import { pino, type DestinationStream } from 'pino';

/** A line waits for this many bytes or milliseconds, whichever comes first. */
const BUFFER_BYTES = 4_096;
const BUFFER_MS = 50;
/** Where nobody reads the output, later lines are dropped instead of filling the memory. */
const UNREAD_BYTES_MAX = 16 * 1_024 * 1_024;

/** Standard output that can be waited for. */
interface BatchedOutput extends DestinationStream {
  /** Writes what waits; `done` once all is written, or cannot be. */
  flush(done?: () => void): void;
  flushSync(): void;
}

/**
 * A process that ends writes what waits; one that is killed takes it along. The timer runs only while a line waits, since
 * a process with nothing to say should not wake up.
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
    // A line of level fatal asks for it. What is written at once overtakes the batch that is on its way, where somebody
    // reads late: so whoever ends the process waits for `flush`.
    flushSync: () => stream.flush(),
  };
}
