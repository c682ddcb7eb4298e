import type { Writable } from 'node:stream';

/**
 * Makes what is written one after the other, with nothing awaited in between but promises at hand, go out together: the
 * messages of a short result then cost one write to the socket, and wake their reader once.
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
      // After all promises that are settled by now, and before the headers are sent by themselves.
      process.nextTick(send);
    }
    return write(...args);
  }) as typeof stream.write;
}
