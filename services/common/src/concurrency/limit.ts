/** Runs work when there is a place for it. */
type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `atOnce` pieces of work run at a time. The others wait and begin in the order in which they came. */
export function limitConcurrency(atOnce: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/**
 * Runs `work` for each value, `atOnce` at a time. The results are in the order of the values. The first error is thrown;
 * the work for the other values goes on.
 */
export function mapConcurrently<V, R>(
  values: readonly V[],
  atOnce: number,
  work: (value: V) => Promise<R>,
): Promise<readonly R[]> {
  const limited = limitConcurrency(atOnce);
  return Promise.all(values.map((value) => limited(() => work(value))));
}
