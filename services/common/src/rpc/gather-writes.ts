import type { Writable } from 'node:stream';

/**
 * Sends writes together that follow each other without waiting for input or output. The messages of a short result
 * then cost one write to the socket, and wake their reader once.
 */
export function gatherWrites(stream: Writable): void {
  const write = stream.write.bind(stream);
  let gathering = false;
  const send = (): void => {
    gathering = false;
    stream.uncork();
  };
  stream.write = ((...args: Parameters<typeof write>) => {
    if (!gathering) {
      gathering = true;
      stream.cork();
      // Runs after all promises that are settled by now, and before the headers would go out alone.
      process.nextTick(send);
    }
    return write(...args);
  }) as typeof stream.write;
}
