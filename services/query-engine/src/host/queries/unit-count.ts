/** What a query read, as its host counts it: exact also where a worker is lost, or says so late. */
export interface UnitCount {
  readonly halfUnits: number;
  add(halfUnits: number): void;
  /** What is to be recorded. Whatever is added from now on is late. */
  close(): number;
}

/** `onLate` is handed what is added after the count was closed: it is to be recorded by itself. */
export function createUnitCount(onLate: (halfUnits: number) => void): UnitCount {
  let halfUnits = 0;
  let isClosed = false;
  return {
    get halfUnits() {
      return halfUnits;
    },
    add(more) {
      if (more <= 0) return;
      halfUnits += more;
      if (isClosed) onLate(more);
    },
    close() {
      isClosed = true;
      return halfUnits;
    },
  };
}
