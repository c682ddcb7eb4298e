/**
 * Chooses which reads wait to see whether another side of the statement has rows: those that cost far more than it does.
 * Where it has none, they are not made (../../../README.md, "Reading", rule 11).
 */
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { scansIn } from '../dynamic-filters/build-side.ts';
import { EMPTY_SIDES_MAX, EMPTY_SIDES_SCANS_MAX, EMPTY_SIDE_PART_MAX } from '../dynamic-filters/limits.ts';
import type { PlannedReads } from '../dynamic-filters/plan-reads.ts';
import type { EmptySide, PhysicalPlan } from '../physical-plan.ts';
import { neededParts } from './needed-parts.ts';

/** The reads, of which those cost nothing at least that may not be made. */
export function withLeastUnits(
  reads: readonly TableRead[],
  emptySides: PhysicalPlan['emptySides'],
): readonly TableRead[] {
  if (emptySides.size === 0) return reads;
  return reads.map((read, i) =>
    emptySides.has(i) ? { ...read, estimate: { ...read.estimate, low: 0 } } : read,
  );
}

/** By position in the reads: what is read first, and has to have rows. No two reads wait for each other. */
export function chooseEmptySides(
  root: LogicalPlan,
  { reads, filteredScans, bindings }: PlannedReads,
): ReadonlyMap<number, readonly EmptySide[]> {
  const chosen = new Map<number, readonly EmptySide[]>();
  if (reads.length < 2 || bindings.size > EMPTY_SIDES_SCANS_MAX) return chosen;
  const needed = neededParts(root);
  const unitsOf = (read: number): number => reads[read]?.estimate.units ?? 0;
  const waitsFor = (read: number): readonly number[] => [
    ...(filteredScans.get(read)?.filters.flatMap((one) => one.reads) ?? []),
    ...(chosen.get(read)?.flatMap((one) => one.reads) ?? []),
  ];
  /** With all that they wait for. */
  const withWaits = (from: readonly number[]): ReadonlySet<number> => {
    const seen = new Set(from);
    for (const read of seen) for (const other of waitsFor(read)) seen.add(other);
    return seen;
  };
  const users = Map.groupBy(bindings, ([, { read }]) => read);
  const dearestFirst = reads.map((_, read) => read).sort((a, b) => unitsOf(b) - unitsOf(a));
  for (const read of dearestFirst) {
    const [user, ...others] = users.get(read) ?? [];
    // What several scans share is of use as long as one of them is.
    if (user === undefined || others.length > 0) continue;
    const known = withWaits(filteredScans.get(read)?.filters.flatMap((one) => one.reads) ?? []);
    const sides: EmptySide[] = [];
    for (const query of needed.get(user[0]) ?? []) {
      const first = [...new Set(scansIn(query).map((scan) => bindings.get(scan)?.read ?? read))];
      const units = first.reduce((sum, one) => sum + unitsOf(one), 0);
      // A read by keys asks for nothing where there are none, and so does one by what that would have given.
      const isNews = first.some((one) => !known.has(one));
      const isCheap = units <= unitsOf(read) * EMPTY_SIDE_PART_MAX;
      if (isNews && isCheap && first.length > 0 && !withWaits(first).has(read))
        sides.push({ query, reads: first });
    }
    if (sides.length > 0) chosen.set(read, sides.slice(0, EMPTY_SIDES_MAX));
  }
  return chosen;
}
