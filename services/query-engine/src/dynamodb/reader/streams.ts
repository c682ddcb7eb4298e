/** Several streams as one. Ending the result early ends all that were started. */

/**
 * What the streams yield as it arrives, each with its stream's number; at most `atOnce` run at a time, each with one step
 * under way while its last one is consumed.
 */
export async function* merged<T>(
  streams: readonly AsyncGenerator<T>[],
  atOnce: number,
): AsyncGenerator<{ readonly stream: number; readonly value: T }> {
  const waiting = [...streams.entries()].reverse();
  const running = new Map<number, Promise<Step<T>>>();
  // A step may fail while its consumer is at work and nobody looks.
  const step = (stream: number, source: AsyncGenerator<T>) =>
    running.set(stream, quiet(source.next().then((result) => ({ stream, source, result }))));
  try {
    for (;;) {
      while (running.size < atOnce && waiting.length > 0) {
        const [stream, source] = waiting.pop() as [number, AsyncGenerator<T>];
        step(stream, source);
      }
      if (running.size === 0) return;
      const { stream, source, result } = await Promise.race(running.values());
      if (result.done === true) {
        running.delete(stream);
        continue;
      }
      step(stream, source);
      yield { stream, value: result.value };
    }
  } finally {
    endAll(running.values(), streams);
  }
}

interface Step<T> {
  readonly stream: number;
  readonly source: AsyncGenerator<T>;
  readonly result: IteratorResult<T>;
}

/** The streams one after the other; the first step of up to `ahead` later ones is taken meanwhile. */
export async function* inTurn<T>(streams: readonly AsyncGenerator<T>[], ahead: number): AsyncGenerator<T> {
  const started: (Promise<IteratorResult<T>> | undefined)[] = [];
  const start = (stream: number) => {
    const source = streams[stream];
    if (source !== undefined && started[stream] === undefined) started[stream] = quiet(source.next());
  };
  try {
    for (const [stream, source] of streams.entries()) {
      for (let later = stream; later <= stream + ahead; later++) start(later);
      let next = started[stream];
      while (next !== undefined) {
        const result = await next;
        if (result.done === true) break;
        // With nothing to be read ahead, the next step waits until it is asked for.
        next = ahead > 0 ? quiet(source.next()) : undefined;
        started[stream] = next;
        yield result.value;
        next ??= source.next();
      }
    }
  } finally {
    endAll(
      started.filter((step) => step !== undefined),
      streams,
    );
  }
}

/** A failure is told where the promise is awaited, or not at all when the stream is ended before. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Ends streams whatever they are at; nobody waits. */
export function endAll(steps: Iterable<Promise<unknown>>, streams: readonly AsyncGenerator<unknown>[]): void {
  for (const step of steps) void quiet(step);
  for (const stream of streams) void quiet(stream.return(undefined));
}
