/**
 * ORDER BY … LIMIT by a read in order that may turn out not to be enough: the index lacks items that come last (those
 * without its key), or rows are filtered after they were read, and nobody knows how many pass.
 *
 * It is decided by the statement's own LIMIT, which is the same for each page, so that all pages are cut out of one result.
 */
import { orderedUnitsMax, type OrderedJob } from '../dynamodb/bounded-regret/ordered-chooser.ts';
import type { OrderedRead } from '../dynamodb/choose-read.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Limit, LogicalPlan, Sort, TableScan } from '../logical/plan.ts';
import { hasSubquery } from '../logical/references.ts';
import { expressionsOf, transformPlan, walkDeep, withFields } from '../logical/visit.ts';
import { withImpliedNotNull } from '../optimizer/rules/imply-not-null.ts';
import { orderHintOf } from '../optimizer/order-of-scan.ts';
import { indexLookupChoice, type IndexLookupChoice } from './index-lookup.ts';
import { INCOMPLETE_PART_MAX, LEAST_PART_MAX, LIKELY_PART_MAX } from './limits.ts';
import { isWithinRead, unitsOfItem, unitsOfRows } from './ordered-units.ts';
import { askInOrder, sortsAlike } from './read-order.ts';
import { tableKey, type ChooseRead } from './share-reads.ts';

export interface OrderedTry {
  readonly read: TableRead;
  /** What it is followed by, and how far. */
  readonly job: OrderedJob;
  /** The rows that pass, over the scan alone; null where every row of the read does. */
  readonly passing: LogicalPlan | null;
  /** The scan of `passing`. */
  readonly scan: TableScan;
  /** Whether the read's end is the end of all rows that are wanted: then nothing else has any. */
  readonly isComplete: boolean;
  /** What is read where too few rows pass: all that are wanted, in any order. The same columns. */
  readonly fallback: TableRead;
  /** Where the fallback is an index lookup: with what it is left for if it has too many keys. */
  readonly lookup: IndexLookupChoice | null;
}

/** How the reads of scans are chosen. */
export interface OrderedChoices {
  /** Without regard to their order. */
  readonly chooseRead: ChooseRead;
  /** The cheapest that gives the order; null where none does. */
  readonly chooseOrdered: (scan: TableScan) => OrderedRead | null;
}

export interface PlanWithTries {
  readonly plan: LogicalPlan;
  /** By the scans of the plan that are read so. */
  readonly tries: ReadonlyMap<TableScan, OrderedTry>;
}

/** The least of the items that may be expected to pass: of a part of none, no batch could be cut. */
const PASSING_PART_MIN = 1e-6;
/** What a page costs at least. */
const PAGE_UNITS = 0.5;

function scanUnder(plan: LogicalPlan): TableScan | null {
  if (plan.kind === 'TableScan') return plan;
  return plan.kind === 'Filter' || plan.kind === 'Project' ? scanUnder(plan.input) : null;
}

function withScan(plan: LogicalPlan, scan: TableScan): LogicalPlan {
  if (plan.kind === 'TableScan') return scan;
  if (plan.kind !== 'Filter' && plan.kind !== 'Project') return plan;
  return withFields<typeof plan>(plan, { input: withScan(plan.input, scan) });
}

function hasSubqueryAbove(plan: LogicalPlan): boolean {
  if (plan.kind !== 'Filter' && plan.kind !== 'Project') return false;
  return expressionsOf(plan).some(hasSubquery) || hasSubqueryAbove(plan.input);
}

/** Tables that are named once: what is read for others would have to be weighed against it. */
function namedOnce(root: LogicalPlan): (scan: TableScan) => boolean {
  const times = new Map<string, number>();
  walkDeep(root, {
    plan: (node) => {
      if (node.kind === 'TableScan') times.set(tableKey(node), (times.get(tableKey(node)) ?? 0) + 1);
    },
  });
  return (scan) => times.get(tableKey(scan)) === 1;
}

interface Weighed extends Pick<OrderedTry, 'read' | 'job' | 'isComplete'> {
  readonly isExact: boolean;
}

/**
 * What may be lost is bounded by how far the read is followed (`dynamodb/bounded-regret/ordered-chooser.ts`), or by the rows that
 * are wanted where each counts; so a guess need not be good to be worth trying.
 */
function isWorthTrying({ read, job, isExact, isComplete }: Weighed): boolean {
  const { rows, certainUnits: units } = job;
  const least = unitsOfRows(read, rows);
  if (least >= units) return false;
  // All that it has is read for nothing where it has too few rows.
  if (isExact) return isComplete || least <= Math.max(INCOMPLETE_PART_MAX * units, PAGE_UNITS);
  // A batch would be asked for in each of the partitions.
  if (read.path.kind === 'Query' && read.path.merged) return false;
  return least <= LEAST_PART_MAX * units && read.estimate.units <= LIKELY_PART_MAX * units;
}

/** What is below a Sort, and how much of it is wanted. */
interface Wanted extends Pick<OrderedTry, 'fallback' | 'lookup'> {
  readonly input: LogicalPlan;
  readonly order: TableScan['orderHint'];
  readonly rows: number;
}

/** The read, whose bounds are those of what is read in its place too. */
function withBounds({ read, job, passing, isComplete, fallback, lookup }: OrderedTry): TableRead {
  const { estimate } = read;
  if (passing === null && isComplete) return read;
  const spent =
    passing === null ? estimate.high : Math.min(estimate.high, orderedUnitsMax(job) - job.certainUnits);
  const otherwise =
    lookup === null
      ? fallback.estimate.high
      : lookup.keys.estimate.high + Math.max(lookup.fallback.estimate.high, job.certainUnits);
  const high = Math.ceil((Math.max(spent, estimate.units) + otherwise) * 2) / 2;
  return Object.freeze({ ...read, estimate: { ...estimate, high } });
}

interface Tried {
  readonly input: LogicalPlan;
  readonly attempt: OrderedTry;
}

/** `scan`: the one below, or the same with a promise that only holds until the index ends. */
function tryBy(
  scan: TableScan,
  isComplete: boolean,
  { input, order, rows, fallback, lookup }: Wanted,
  { chooseOrdered }: OrderedChoices,
): Tried | null {
  const asked = askInOrder(withScan(input, scan), order, rows);
  const wanted = asked === null ? null : scanUnder(asked);
  // Of predicates that the read does not know, it cannot be told how many rows are enough.
  if (asked === null || wanted === null || wanted.limitHint !== rows) return null;
  const chosen = chooseOrdered(wanted);
  if (chosen === null) return null;
  const { read, passingPart } = chosen;
  const certain = lookup?.fallback ?? fallback;
  const unitsPerItem = unitsOfItem(read);
  const job: OrderedJob = {
    rows,
    certainUnits: Math.max(certain.estimate.units, unitsPerItem),
    unitsPerItem,
    passingPart: Math.max(PASSING_PART_MIN, passingPart),
    isWithin: isWithinRead(read, certain),
  };
  const isExact = read.stopAfter === rows;
  if (!isWorthTrying({ read, job, isExact, isComplete })) return null;
  const attempt = { job, passing: isExact ? null : asked, scan: wanted, isComplete, fallback, lookup };
  return { input: asked, attempt: { ...attempt, read: withBounds({ ...attempt, read }) } };
}

function triedBelow({ count, offset }: Limit, sort: Sort, choices: OrderedChoices): Tried | null {
  const { input, keys } = sort;
  const scan = scanUnder(input);
  const order = orderHintOf(keys, input);
  const rows = (count ?? 0) + offset;
  if (scan === null || order === null || rows === 0 || hasSubqueryAbove(input)) return null;
  if (!order.every((key) => sortsAlike(scan, key))) return null;
  const fallback = choices.chooseRead(scan);
  if (fallback.path.kind === 'Nothing') return null;
  const lookup = indexLookupChoice(scan, fallback, choices.chooseRead);
  const wanted: Wanted = { input, order, rows, fallback, lookup };
  const complete = tryBy(scan, true, wanted, choices);
  if (complete !== null || keys.some(({ nullsFirst }) => nullsFirst)) return complete;
  const ids = new Set(order.map(({ column }) => column.id));
  const withoutNulls = withImpliedNotNull(scan, (id) => ids.has(id));
  return withoutNulls === scan ? null : tryBy(withoutNulls, false, wanted, choices);
}

/** The plan with scans below each LIMIT of an ORDER BY that are read in order as long as that is worth it. */
export function triesInOrder(root: LogicalPlan, choices: OrderedChoices): PlanWithTries {
  const tries = new Map<TableScan, OrderedTry>();
  const isAlone = namedOnce(root);
  const plan = transformPlan(root, (node) => {
    if (node.kind !== 'Limit' || node.count === null || node.input.kind !== 'Sort') return node;
    const scan = scanUnder(node.input.input);
    // Perhaps it is told already to stop after the rows that are needed.
    if (scan === null || scan.limitHint !== null || !isAlone(scan)) return node;
    const tried = triedBelow(node, node.input, choices);
    if (tried === null) return node;
    tries.set(tried.attempt.scan, tried.attempt);
    return withFields(node, { input: withFields(node.input, { input: tried.input }) });
  });
  return { plan, tries };
}
