/** What it would cost to filter a scan by the values that decided reads return, and which values are the best to take. */
import { leastUnits } from '../../dynamodb/access-path/estimate.ts';
import { STALENESS, type UnitBounds } from '../../dynamodb/access-path/unit-bounds.ts';
import { WORTHWHILE_PART } from '../../dynamodb/bounded-regret/limits.ts';
import { mostUnits, priceRangeOf } from '../../dynamodb/bounded-regret/price-range.ts';
import { filteredBounds, type ExpectedKeys } from '../../dynamodb/bounded-regret/filtered-bounds.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { columnOrigins } from '../../optimizer/column-origins.ts';
import { isClosed, narrower, scansIn, withItsCtes } from './build-side.ts';
import { estimateRows } from './estimate-build-side.ts';
import type { FilterCandidate } from './filter-candidate.ts';
import { chanceOfKeys } from './key-chance.ts';
import { FILTERS_MAX, GUESS_TOLERANCE, NO_VALUES_CHANCE, TELLING_PART } from './limits.ts';
import { isOfFewItems, type LookupShape } from './lookup-shape.ts';

/** A filter candidate that a read by key can use. */
export interface Candidate {
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
  /** As expected, and at least. */
  readonly units: number;
  readonly least: number;
  /** Keys that there are at least, and at most, as far as tables have not shrunk or grown by more than a tenth. */
  readonly bounds: ExpectedKeys;
}

export interface ChosenFilteredScan {
  readonly scan: TableScan;
  readonly filters: readonly ChosenFilter[];
  /** As it is expected to be. */
  readonly read: TableRead;
  /** Different keys that are expected. */
  readonly keys: number;
  /** The least that so many cost, if they can be looked up. */
  readonly least: number;
}

/** The reads that are settled, whether filtered or not. */
export type Decided = ReadonlyMap<TableScan, TableRead>;

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

/** Chooses the best filter for one scan, by what it would cost with the reads that are decided. */
export class FilterChooser {
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
      const { distinctValues = 0, distinct } = sampled ?? {};
      if (distinct !== undefined) return product * distinct.estimate;
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
    const { one } = shape;
    const plain = this.plainOf(scan).estimate.units;
    const { rows, part } = estimateRows(buildSide, (read) => decided.get(read) ?? this.plainOf(read));
    const keys = Math.max(1, Math.min(Math.ceil(rows), this.#distinctValues(shape)));
    const byKeys = one.estimate.units * keys;
    const price = priceRangeOf(one);
    const found = price === null ? byKeys : Math.min(byKeys, mostUnits(price, keys));
    const fitting = chanceOfKeys(shape, Math.min(rows, keys), this.#originOf);
    const chance = fitting + NO_VALUES_CHANCE * (1 - fitting);
    const units = found < plain ? between(plain, found, chance) : plain;
    // What an item costs is known well; of how many a key leads to, all that is sure is that it costs something.
    const least = isOfFewItems(one) ? byKeys : keys * leastUnits(one.consistent);
    const tolerance = part <= TELLING_PART ? GUESS_TOLERANCE : 1;
    const worthwhile = plain * (isOfFewItems(one) ? 1 : WORTHWHILE_PART) * tolerance;
    const bounds = {
      least: isEveryKey(buildSide, shape) ? Math.floor(keys * (1 - STALENESS)) : 0,
      most: Math.ceil(keys * (tolerance > 1 ? tolerance : (1 + STALENESS) / part)),
    };
    return least < worthwhile ? { ...candidate, buildSide, keys, chance, units, least, bounds } : null;
  }

  /** The best filter for the scan now, with the others of the same columns. */
  best(scan: TableScan, candidates: readonly Candidate[], decided: Decided): ChosenFilteredScan | null {
    const filters = candidates
      .map((candidate) => this.#filterOf(scan, candidate, decided))
      .filter((filter) => filter !== null)
      .sort((a, b) => a.units - b.units || a.least - b.least);
    const [first] = filters;
    if (first === undefined) return null;
    const same = filters.filter(({ shape }) =>
      shape.columns.every((column) => first.shape.columns.includes(column)),
    );
    const fallback = this.plainOf(scan);
    const { one } = first.shape;
    const found = Math.min(one.estimate.rows * first.keys, fallback.estimate.rows);
    const rows = Math.max(1, Math.round(between(fallback.estimate.rows, found, first.chance)));
    const units = Math.min(Math.ceil(first.units * 2) / 2, fallback.estimate.units);
    return {
      scan,
      filters: same.slice(0, FILTERS_MAX),
      read: {
        ...one,
        estimate: { rows, units, ...boundsOf(first, units, fallback) },
        reason: reasonOf(first),
      },
      keys: first.keys,
      least: between(fallback.estimate.units, first.least, first.chance),
    };
  }
}

/** Whether the build side is a whole table, and gives its key: as many different values as it has items. */
function isEveryKey(buildSide: LogicalPlan, { sources }: LookupShape): boolean {
  const [source, ...others] = sources;
  if (buildSide.kind !== 'TableScan' || buildSide.filter.length > 0 || others.length > 0) return false;
  if (source?.kind !== 'ColumnReference' || buildSide.table.key.sortKey !== null) return false;
  const column = buildSide.columns.find(({ id }) => id === source.column.id);
  return column?.path.length === 1 && column.path[0] === buildSide.table.key.partitionKey.name;
}

/** Of as many keys as there may be. */
function boundsOf({ shape, bounds, chance }: ChosenFilter, units: number, fallback: TableRead): UnitBounds {
  const { one } = shape;
  const price = priceRangeOf(one);
  // Keys are looked up only where they seem to cost less, and what they find is no more than all.
  if (price === null || price.scan === Infinity) return { low: 0, high: 2 * fallback.estimate.high };
  const { low, high } = filteredBounds(
    {
      price: { ...price, scan: price.scan * (1 + STALENESS) },
      isWhole: isOfFewItems(one),
      one: one.estimate,
      certain: fallback.estimate,
    },
    bounds,
  );
  // Where a value is of another type than the keys, none is looked up.
  const tried = chance < 1 ? Math.max(high, fallback.estimate.high) : high;
  // All may have to be read for one that has too few items.
  const most = one.otherwise === undefined ? tried : tried + fallback.estimate.high;
  return { low: Math.min(Math.floor(low * 2) / 2, units), high: Math.max(Math.ceil(most * 2) / 2, units) };
}

/** What is expected where the chance of the second is this. */
function between(fallback: number, hoped: number, chance: number): number {
  return fallback + (hoped - fallback) * chance;
}

function reasonOf({ keys, chance }: ChosenFilter): string {
  const condition = chance < 1 ? ' if all values are of types that keys are found by' : '';
  return `about ${keys} key${keys === 1 ? '' : 's'} expected${condition}, counted before this is read`;
}
