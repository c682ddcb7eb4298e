/** Runs one call for a key at a time; whoever asks meanwhile gets the same answer, or the same error. */
interface SingleFlight<T> {
  run(key: string, work: () => Promise<T>): Promise<T>;
}

/** Builds it, for this process. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return Object.freeze({
    run(key: string, work: () => Promise<T>): Promise<T> {
      const running = flights.get(key);
      if (running !== undefined) return running;
      const flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  });
}
