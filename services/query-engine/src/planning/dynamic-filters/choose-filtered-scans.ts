/**
 * Chooses which scans wait for other reads and are filtered by the values that these returned.
 *
 * The choice is greedy. Scans that nothing can filter are decided first. Then the cheapest scan is taken whose build side
 * needs only decided reads, again and again. Where there is none, the scan is read plainly that saves the others most. So no
 * two reads ever wait for each other.
 */
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { columnOrigins } from '../../optimizer/column-origins.ts';
import type { ChooseRead } from '../share-reads.ts';
import { isClosed, narrower, scansIn, withItsCtes } from './build-side.ts';
import { estimateRows } from './estimate-build-side.ts';
import { findCandidates } from './find-candidates.ts';
import { FILTERS_MAX, GUESS_TOLERANCE, LOOKAHEAD_SCANS_MAX, NO_VALUES_CHANCE, UNITS_MIN } from './limits.ts';
import { chanceOfKeys } from './key-chance.ts';
import { isWholeKey, lookupShape, type LookupShape } from './lookup-shape.ts';
import type { FilterCandidate } from './filter-candidate.ts';

/** A filter candidate that a read by key can use. */
interface Candidate {
  readonly candidate: FilterCandidate;
  readonly shape: LookupShape;
}

/** A candidate whose build side needs only decided reads. */
export interface ChosenFilter extends Candidate {
  readonly buildSide: LogicalPlan;
  /** Different values that are expected. */
  readonly keys: number;
  /** That all of them can be looked up, or that there are none. */
  readonly chance: number;
  readonly units: number;
}

export interface ChosenFilteredScan {
  readonly scan: TableScan;
  readonly filters: readonly ChosenFilter[];
  /** As it is expected to be. */
  readonly read: TableRead;
}

type Decided = ReadonlyMap<TableScan, TableRead>;

/** A part of a candidate's build side, with a scan in it that is not decided yet; null where all are. */
interface BuildSidePart {
  readonly plan: LogicalPlan;
  waitsFor: TableScan | null;
}

/** The parts of a candidate's build side that can be computed on their own, the largest first. */
function buildSideParts({ candidate, shape }: Candidate): readonly BuildSidePart[] {
  const parts: BuildSidePart[] = [];
  for (
    let buildSide: LogicalPlan | null = candidate.buildSide;
    buildSide !== null;
    buildSide = narrower(buildSide, shape.sources)
  ) {
    const plan = withItsCtes(buildSide, candidate.ctes);
    if (isClosed(plan)) parts.push({ plan, waitsFor: scansIn(plan)[0] ?? null });
  }
  return parts;
}

interface CostedFilter {
  readonly buildSide: LogicalPlan;
  /** Null where the build side is not worth waiting for. */
  readonly filter: ChosenFilter | null;
}

class Chooser {
  readonly #plain: Decided;
  readonly #originOf: ReturnType<typeof columnOrigins>;
  /** Remembered, since it is asked for again each time that a read is decided. */
  readonly #parts = new Map<Candidate, readonly BuildSidePart[]>();
  readonly #filters = new WeakMap<Decided, Map<Candidate, CostedFilter>>();

  constructor(root: LogicalPlan, plain: Decided) {
    this.#plain = plain;
    this.#originOf = columnOrigins(root);
  }

  /** Different values of the sources at most, as far as a sample tells. */
  #distinctValues({ sources }: LookupShape): number {
    return sources.reduce((product, source) => {
      const origin = source.kind === 'ColumnReference' ? this.#originOf(source.column.id) : null;
      const sampled = origin?.table.attributes.find(({ name }) => name === origin.column.path[0]);
      const { distinctValues = 0 } = sampled ?? {};
      // A sample of many different values does not tell how many there are.
      const isTold = distinctValues > 0 && distinctValues <= (origin?.table.sampledItems ?? 0) / 2;
      return isTold ? product * distinctValues : Infinity;
    }, 1);
  }

  plainOf(scan: TableScan): TableRead {
    const read = this.#plain.get(scan);
    if (read === undefined) throw new Error(`no read for the scan of ${scan.alias}`);
    return read;
  }

  /** The largest part of the build side that needs only decided reads. */
  #decidedBuildSide(candidate: Candidate, decided: Decided): LogicalPlan | null {
    const parts = this.#parts.get(candidate) ?? buildSideParts(candidate);
    this.#parts.set(candidate, parts);
    const found = parts.find((part) => {
      // Most parts still wait for what they waited for.
      if (part.waitsFor !== null && !decided.has(part.waitsFor)) return false;
      part.waitsFor = scansIn(part.plan).find((scan) => !decided.has(scan)) ?? part.waitsFor;
      return part.waitsFor === null || decided.has(part.waitsFor);
    });
    return found?.plan ?? null;
  }

  /** As `#costOf`, remembered: decided reads stay as they are, so only a larger build side changes it. */
  #filterOf(scan: TableScan, candidate: Candidate, decided: Decided): ChosenFilter | null {
    const buildSide = this.#decidedBuildSide(candidate, decided);
    if (buildSide === null) return null;
    const costed = this.#filters.get(decided) ?? new Map<Candidate, CostedFilter>();
    this.#filters.set(decided, costed);
    const known = costed.get(candidate);
    if (known?.buildSide === buildSide) return known.filter;
    const filter = this.#costOf(scan, candidate, buildSide, decided);
    costed.set(candidate, { buildSide, filter });
    return filter;
  }

  /** The candidate with its costs; null where its build side is not worth waiting for. */
  #costOf(
    scan: TableScan,
    candidate: Candidate,
    buildSide: LogicalPlan,
    decided: Decided,
  ): ChosenFilter | null {
    const { shape } = candidate;
    const plain = this.plainOf(scan).estimate.units;
    const { rows, part } = estimateRows(buildSide, (one) => decided.get(one) ?? this.plainOf(one));
    const keys = Math.max(1, Math.min(Math.ceil(rows), this.#distinctValues(shape)));
    const byKeys = shape.one.estimate.units * keys;
    // Of how a partition's size is guessed, all that is sure is that all of them together are the table.
    const found = isWholeKey(shape.one) ? byKeys : Math.max(byKeys, Math.min(part, 1) * plain);
    const fitting = chanceOfKeys(shape, Math.min(rows, keys), this.#originOf);
    const chance = fitting + NO_VALUES_CHANCE * (1 - fitting);
    const units = found < plain ? between(plain, found, chance) : found;
    const worth = units < plain || (part < 1 && units < plain * GUESS_TOLERANCE);
    return worth ? { ...candidate, buildSide, keys, chance, units } : null;
  }

  /** The best filter for the scan now, with the others of the same columns. */
  best(scan: TableScan, candidates: readonly Candidate[], decided: Decided): ChosenFilteredScan | null {
    const filters = candidates
      .map((candidate) => this.#filterOf(scan, candidate, decided))
      .filter((filter) => filter !== null)
      .sort((a, b) => a.units - b.units);
    const [first] = filters;
    if (first === undefined) return null;
    const same = filters.filter(({ shape }) =>
      shape.columns.every((column) => first.shape.columns.includes(column)),
    );
    const fallback = this.plainOf(scan);
    const { one } = first.shape;
    const found = one.estimate.rows * first.keys;
    const rows = Math.max(1, Math.round(between(fallback.estimate.rows, found, first.chance)));
    const units = Math.min(Math.ceil(first.units * 2) / 2, fallback.estimate.units);
    return {
      scan,
      filters: same.slice(0, FILTERS_MAX),
      read: { ...one, estimate: { rows, units }, reason: reasonOf(first, fallback) },
    };
  }
}

/** What is expected where the chance of the second is this. */
function between(fallback: number, hoped: number, chance: number): number {
  return fallback + (hoped - fallback) * chance;
}

function reasonOf({ keys, chance }: ChosenFilter, { estimate, path }: TableRead): string {
  const plainly = `a ${path.kind} without them costs ${Math.round(estimate.units * 2) / 2} read units`;
  const condition = chance < 1 ? ' if all values are of types that keys are found by' : '';
  return `about ${keys} key${keys === 1 ? '' : 's'} expected${condition}, counted before this is read; ${plainly}`;
}

/**
 * Dynamically filtered scans, each after the scans of its build sides. Empty where every read is as cheap by itself. Yields
 * where other work may have its turn.
 */
export function* chooseFilteredScans(
  root: LogicalPlan,
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): Generator<void, readonly ChosenFilteredScan[]> {
  const plain = new Map(scans.map((scan) => [scan, chooseRead(scan)]));
  if (![...plain.values()].some(({ estimate }) => estimate.units > UNITS_MIN)) return [];
  const implied = findCandidates(root);
  yield;
  const waiting = new Map<TableScan, readonly Candidate[]>();
  const decided = new Map<TableScan, TableRead>();
  for (const [scan, read] of plain) {
    const candidates: Candidate[] = [];
    for (const candidate of read.estimate.units <= UNITS_MIN ? [] : (implied.get(scan) ?? [])) {
      const shape = lookupShape(scan, candidate, read, chooseRead);
      if (shape !== null) candidates.push({ candidate, shape });
      yield;
    }
    if (candidates.length === 0) decided.set(scan, read);
    else waiting.set(scan, candidates);
  }
  const chooser = new Chooser(root, plain);
  const filtered: ChosenFilteredScan[] = [];
  while (waiting.size > 0) {
    const choices: (ChosenFilteredScan | null)[] = [];
    for (const [scan, candidates] of waiting) {
      choices.push(chooser.best(scan, candidates, decided));
      yield;
    }
    const next = cheapest(choices);
    const scan = next?.scan ?? firstToRead(waiting, decided, chooser);
    if (next !== null) filtered.push(next);
    decided.set(scan, next?.read ?? chooser.plainOf(scan));
    waiting.delete(scan);
    yield;
  }
  return filtered;
}

function cheapest(choices: readonly (ChosenFilteredScan | null)[]): ChosenFilteredScan | null {
  let best: ChosenFilteredScan | null = null;
  for (const choice of choices) {
    if (choice === null) continue;
    if (best === null || choice.read.estimate.units < best.read.estimate.units) best = choice;
  }
  return best;
}

/** The scan to read plainly: the one after which the others cost least, by their estimates. */
function firstToRead(
  waiting: ReadonlyMap<TableScan, readonly Candidate[]>,
  decided: Decided,
  chooser: Chooser,
): TableScan {
  let best: { readonly scan: TableScan; readonly units: number; readonly filters: number } | null = null;
  for (const scan of waiting.keys()) {
    const own = chooser.plainOf(scan);
    let { units } = own.estimate;
    let filters = 0;
    if (waiting.size <= LOOKAHEAD_SCANS_MAX) {
      const then = new Map([...decided, [scan, own]]);
      for (const [other, candidates] of waiting) {
        if (other === scan) continue;
        const filtered = chooser.best(other, candidates, then);
        if (filtered !== null) filters++;
        units += (filtered?.read ?? chooser.plainOf(other)).estimate.units;
      }
    }
    const better = best === null || units < best.units || (units === best.units && filters > best.filters);
    if (better) best = { scan, units, filters };
  }
  if (best === null) throw new Error('no scan is waiting');
  return best.scan;
}
