/** What each read of a statement saw and cost, for advice about it. */
import type { ReadObserver } from '../../dynamodb/read-context.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { SeenRead } from '../../planning/advice/advise.ts';

export interface ReadTallies extends ReadObserver {
  /** What a read consumed, half units. */
  spent(read: TableRead, halfUnits: number): void;
  /** Null where the read was not made to its end, or by keys. */
  of(read: TableRead): SeenRead | null;
  /** What it consumed, and how many items its pages had. */
  spentBy(read: TableRead): { readonly readUnits: number; readonly items: number };
}

interface Tally {
  halfUnits: number;
  scanned: number;
  passed: number;
  ended: number;
}

/** `next` is told the same. */
export function tallyReads(next: ReadObserver): ReadTallies {
  const tallies = new Map<TableRead, Tally>();
  const tallyOf = (step: TableRead): Tally => {
    const read = step.stepOf ?? step;
    const tally = tallies.get(read) ?? { halfUnits: 0, scanned: 0, passed: 0, ended: 0 };
    tallies.set(read, tally);
    return tally;
  };
  return {
    page(read, seen) {
      const tally = tallyOf(read);
      tally.scanned += seen.scanned;
      tally.passed += seen.passed;
      tally.ended += seen.isLast ? 1 : 0;
      next.page(read, seen);
    },
    range: (read, seen) => next.range(read, seen),
    fetched: (read, seen) => next.fetched(read, seen),
    spent(read, halfUnits) {
      tallyOf(read).halfUnits += halfUnits;
    },
    of(read) {
      const tally = tallies.get(read);
      if (tally === undefined || tally.ended !== partsOf(read)) return null;
      return { units: tally.halfUnits / 2, scanned: tally.scanned, passed: tally.passed };
    },
    spentBy(read) {
      const { halfUnits = 0, scanned = 0 } = tallies.get(read) ?? {};
      return { readUnits: halfUnits / 2, items: scanned };
    },
  };
}

/** Ranges or segments; none of a read by keys, whose number says all. Of an index lookup, those of the index. */
function partsOf({ path }: TableRead): number | null {
  if (path.kind === 'Query' || path.kind === 'IndexLookup') return path.ranges.length;
  if (path.kind === 'Segments') return path.numbers.length;
  return path.kind === 'Scan' ? path.segments : null;
}
