/**
 * Work that holds the process's one thread, in slices of less than a millisecond: it yields where others may have their
 * turn. Who runs it decides whether they get it.
 */
export type Sliced<T> = Generator<void, T>;

/** Runs work to its end, at once or slice by slice as others want the thread too. Rejects with what the work throws. */
export type RunSliced = <T>(work: Sliced<T>) => Promise<T>;

/** All slices one after the other. */
export function inOneGo<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Work that has no place to yield at. */
export function* oneStep<T>(work: () => T): Sliced<T> {
  yield;
  return work();
}

export const runInOneGo: RunSliced = async (work) => inOneGo(work);
