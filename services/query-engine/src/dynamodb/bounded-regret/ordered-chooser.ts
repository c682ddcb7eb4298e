/**
 * How far a read in order is followed: it is asked for a batch of items, what it found and cost is counted, and either it
 * has enough rows, or goes on, or is left for the certain read, whose units are known. Pure: the same counts give the same
 * decision, so that each page of a statement is made alike.
 */

/** What is known before anything is read. */
export interface OrderedJob {
  /** Rows that have to pass. */
  readonly rows: number;
  /** What the certain read costs; positive. */
  readonly certainUnits: number;
  /** What an item costs, as it is expected; positive. */
  readonly unitsPerItem: number;
  /** The part of the items that is expected to pass, above 0. Decides the first batch, and little after it. */
  readonly passingPart: number;
  /** Whether the read in order is part of the certain one: all of it costs no more. */
  readonly isWithin: boolean;
}

/** What has been read up to the end of a batch, all batches together. */
export interface OrderedCounts {
  /** Items asked for. */
  readonly read: number;
  readonly passed: number;
  readonly units: number;
}

export type OrderedDecision =
  | { readonly kind: 'enough' }
  /** Ask for so many items more. */
  | { readonly kind: 'read'; readonly items: number }
  /** The certain read is expected to cost less than what is left to do. */
  | { readonly kind: 'fallback' };

/** What may be spent, as a part of the certain read, before its projection counts. */
export const PROBE_PART = 0.1;
/** So many times the certain read is the most that is spent, whatever is projected; but for the first batch. */
const SPENT_MAX = 1.25;
/** Once the certain read's units are spent, what is left must be less than this part of them. */
const LEFT_MAX = 0.25;
/** A batch has no fewer items: each is a round trip. */
const BATCH_ITEMS_MIN = 8;
/** A page costs half a unit, however little is in it. */
const PAGE_UNITS = 0.5;
/** More than what is expected to be enough is asked for, so that most reads end with that batch. */
const MARGIN = 1.1;
/** Items from which few passing ones are a sign even before the probe is over. */
const SIGN_ITEMS = 64;
/** Items, as so many of which what an item is expected to cost and its chance to pass count among those read. */
const EXPECTED_ITEMS = 2;
const EXPECTED_PASSES = 0.3;
/** Passing rows from which what came last tells more than all. */
const RECENT_PASSES = 4;

const NOTHING_READ: OrderedCounts = Object.freeze({ read: 0, passed: 0, units: 0 });

/** Of the later half of what was read where enough has passed: the order may go with what passes. */
function recentCounts(history: readonly OrderedCounts[], now: OrderedCounts): OrderedCounts {
  if (now.passed < RECENT_PASSES) return now;
  const since = history.findLast(({ read }) => read <= now.read / 2) ?? NOTHING_READ;
  return { read: now.read - since.read, passed: now.passed - since.passed, units: now.units - since.units };
}

/**
 * Twice a batch in which nothing passed: it was to be enough by what had passed before, which tells no more what comes.
 * Round trips would be hundreds otherwise.
 */
function leastAfter(history: readonly OrderedCounts[], now: OrderedCounts): number {
  const before = history.at(-2) ?? NOTHING_READ;
  return now.passed === before.passed ? 2 * (now.read - before.read) : 0;
}

/** `history`: what had been read after each batch, in order; empty before the first. */
export function decideOrdered(job: OrderedJob, history: readonly OrderedCounts[]): OrderedDecision {
  const { rows, certainUnits, unitsPerItem, passingPart, isWithin } = job;
  const now = history.at(-1) ?? NOTHING_READ;
  const wanted = rows - now.passed;
  if (wanted <= 0) return { kind: 'enough' };
  const each = (EXPECTED_ITEMS * unitsPerItem + now.units) / (EXPECTED_ITEMS + now.read);
  // A page that is not full costs the same.
  const batchMin = Math.max(BATCH_ITEMS_MIN, Math.floor(PAGE_UNITS / unitsPerItem));
  if (now.read === 0) {
    const likely = Math.ceil((MARGIN * wanted) / passingPart);
    return { kind: 'read', items: Math.max(1, Math.min(Math.max(batchMin, wanted), likely)) };
  }
  const recent = recentCounts(history, now);
  const density = (recent.passed + EXPECTED_PASSES) / (recent.read + EXPECTED_PASSES / passingPart);
  const leftMost = isWithin ? Math.max(0, certainUnits - now.units) : Infinity;
  const left = Math.min(leftMost, (wanted / density) * each);
  const isProbed = now.units >= PROBE_PART * certainUnits;
  // Even with luck: two deviations more than what has passed.
  const leftAtBest = Math.min(
    leftMost,
    (wanted * each * now.read) / (now.passed + 2 * Math.sqrt(now.passed) + 3),
  );
  if (
    (isProbed && left > certainUnits) ||
    (now.read >= SIGN_ITEMS && leftAtBest > certainUnits) ||
    now.units + each > SPENT_MAX * certainUnits ||
    (now.units >= certainUnits && left > LEFT_MAX * certainUnits)
  )
    return { kind: 'fallback' };
  const likely = Math.ceil((MARGIN * wanted * now.read) / (now.passed + 0.5));
  const least = Math.max(batchMin, leastAfter(history, now));
  const grown = Math.min(Math.max(likely, least), Math.max(now.read, batchMin));
  const upTo = isProbed
    ? Math.min(Math.max(certainUnits, now.units + PROBE_PART * certainUnits), SPENT_MAX * certainUnits)
    : PROBE_PART * certainUnits;
  const budget = upTo - now.units;
  return { kind: 'read', items: Math.max(1, Math.min(grown, Math.floor(budget / each))) };
}

/**
 * The most that the read in order and the certain read cost together, where an item costs no more than is expected of it:
 * SPENT_MAX of the certain read or the first batch, the rounding of a page, then the certain read.
 */
export function orderedUnitsMax({ certainUnits, rows, unitsPerItem }: OrderedJob): number {
  const first = Math.max(rows, BATCH_ITEMS_MIN, Math.floor(PAGE_UNITS / unitsPerItem)) * unitsPerItem;
  return Math.max(SPENT_MAX * certainUnits, first) + certainUnits + PAGE_UNITS;
}
