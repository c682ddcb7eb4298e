/**
 * Chooses how one table is read: every access path that the predicates allow, costed in read units; the cheapest wins.
 *
 * Pure. The rule that keeps it right: a read may return too many rows, never too few. See ../../README.md, "Reading".
 */
import { entriesIndex } from '../catalog/index-relation.ts';
import { countsRows } from '../catalog/segment-relation.ts';
import { indexKeyNames, keyNames, queryKey } from '../catalog/table.ts';
import type { TableScan } from '../logical/plan.ts';
import { countedLookup } from './access-path/counted-lookup.ts';
import type { Candidate } from './access-path/candidate.ts';
import { provenTypes } from './access-path/candidate.ts';
import type { Condition } from './access-path/condition.ts';
import { isContradiction } from './access-path/contradiction.ts';
import { isCounted, leastUnits, selectivityOf, sizeOf } from './access-path/estimate.ts';
import { filterExpressionOf } from './access-path/filter-expression.ts';
import { filterForm } from './access-path/filter-form.ts';
import { incompleteTops } from './access-path/incomplete-top.ts';
import { isWithinIndex } from './access-path/index-lookup-candidate.ts';
import { assumptionOf, whyNotIndex } from './access-path/index-coverage.ts';
import { keyedCandidates, knownColumns, lookupCandidates } from './access-path/keyed-candidates.ts';
import {
  firstPageBytesMin,
  growingPagesUnitsMin,
  incompleteTopPartMax,
  pageBytesMax,
} from './access-path/limits.ts';
import { hasLearnedFilters, learnedPart } from './access-path/learned.ts';
import { projectionOf } from './access-path/projection.ts';
import { scanCandidate } from './access-path/scan-candidate.ts';
import { segmentCandidate, tellsSegments } from './access-path/segment-candidate.ts';
import { scanConditions } from './access-path/scan-conditions.ts';
import { scanWarnings } from './access-path/scan-warnings.ts';
import { unitBounds } from './access-path/unit-bounds.ts';
import { unionCandidates, type ArmPlanner } from './access-path/union-candidate.ts';
import { isPaged, mayRepeat, type AccessPath, type ExpressionText, type TableRead } from './table-read.ts';

export interface ReadOptions {
  /** Strongly consistent: twice the units, no global indexes. */
  readonly consistent: boolean;
  /** False: a plain scan of the table, for tests that compare. */
  readonly pushdown: boolean;
  /**
   * Rows that this page needs, where it is not the first: `scan.limitHint` speaks of that one. The path is chosen by the
   * first page alone, so that all pages of a statement come in one order.
   */
  readonly pageRows?: number;
}

/**
 * A keyed read is left for a scan only when the scan is this much cheaper: sizes are up to six hours old, so a table that
 * looks tiny may have grown, while the number of keys is certain.
 */
const scanAdvantage = 4;
/**
 * Or, where all rows are wanted, when the keys by their number alone cost more than a scan of what the table may have become
 * by now.
 */
const growth = Object.freeze({ part: 0.25, units: 8 });
/**
 * Where a few rows may be enough, keys from an index are only looked up where that seems this much cheaper than all else:
 * how many there are is a guess, and each costs as much as a page of a scan.
 */
const lookupAdvantage = 4;

/** So many times as much is asked for as is guessed to hold the rows that are needed. */
const GUESS_MARGIN = 2;

/** The read for a scan. Its rows, or those of what is read otherwise, include every row that passes `scan.filter`, in an order that is the same on each run. */
export function chooseRead(scan: TableScan, options: ReadOptions): TableRead {
  const certain = chooseCertainRead(scan, options);
  return (options.pushdown ? triedTop(scan, certain, options) : null) ?? certain;
}

/** The first items of partitions of an index that may lack rows; null where that is not worth trying. */
function triedTop(scan: TableScan, certain: TableRead, options: ReadOptions): TableRead | null {
  const { path, consistent, estimate } = certain;
  const isWhole = path.kind === 'Scan' || (path.kind === 'Query' && path.topOfEach === undefined);
  if (scan.topOfEach === undefined || !isWhole) return null;
  const known = scanConditions(scan, knownColumns(scan)).filter(({ kind }) => kind !== 'Always');
  const tops = incompleteTops(scan, known, consistent);
  const best = tops === null ? null : cheapest(scan, tops.conjuncts, tops.candidates);
  const most = Math.max(incompleteTopPartMax * estimate.units, leastUnits(consistent));
  if (tops === null || best === null || best.units > most || best.units >= estimate.units) return null;
  const read = tableReadOf(scan, best, tops.conjuncts, options);
  const high = read.estimate.high + estimate.high;
  return Object.freeze({ ...read, otherwise: certain, estimate: { ...read.estimate, high } });
}

function chooseCertainRead(scan: TableScan, options: ReadOptions): TableRead {
  const { table } = scan;
  if (!options.pushdown) return tableReadOf(scan, plainScan(scan), [], options);
  const conjuncts = scanConditions(scan, knownColumns(scan)).filter(({ kind }) => kind !== 'Always');
  if ((options.pageRows ?? scan.limitHint) === 0) return nothing(scan, 'no row is needed', options);
  if (isContradiction(conjuncts, table))
    return nothing(scan, 'the predicates contradict each other', options);
  if (tellsSegments(scan)) {
    const segments = segmentCandidate(scan, conjuncts, options.consistent);
    return segments === null
      ? nothing(scan, 'no segment has such a number', options)
      : tableReadOf(scan, segments, conjuncts, options);
  }
  const paths = knownColumns(scan).map(({ path }) => path);
  const indexes = table.indexes.filter(
    (index) => whyNotIndex(index, table, conjuncts, paths, options.consistent) === null,
  );
  const { consistent } = options;
  const costOf = (candidate: Candidate): number => limitedCost(scan, conjuncts, candidate).units;
  const scans = [...(table.entriesOf === undefined ? [null] : []), ...indexes].map((index) =>
    scanCandidate(scan, index, conjuncts, consistent),
  );
  const byScan = cheapest(scan, conjuncts, scans) ?? plainScan(scan);
  const sure = cheapest(scan, conjuncts, keyedCandidates(scan, conjuncts, consistent));
  const others = Math.min(...[sure, byScan].filter((one) => one !== null).map(costOf));
  const byKey = lookupInstead(scan, conjuncts, others, consistent) ?? sure;
  const union = cheapest(scan, conjuncts, unionCandidates(scan, conjuncts, armPlanner(options)));
  if (union !== null && costOf(union) < Math.min(costOf(byScan), costOf(byKey ?? byScan)))
    return tableReadOf(scan, union, conjuncts, options);
  if (byKey === null) return tableReadOf(scan, byScan, conjuncts, options);
  const scanned = costOf(byScan);
  const isWorthScanning =
    scanned * scanAdvantage < costOf(byKey) ||
    (scan.limitHint === null && scanned * (1 + growth.part) + growth.units < leastOf(byKey, consistent));
  // Keys cost what they cost; what a scan of a table costs that was not counted yet, nobody knows.
  if (!isCounted(table) || !isWorthScanning) return tableReadOf(scan, byKey, conjuncts, options);
  const reason = `a scan costs far less than reading by key (${byKey.reason})`;
  return tableReadOf(scan, { ...byScan, reason }, conjuncts, options);
}

/** The index lookup to be made; null where all else seems cheaper, of which `others` are the units. */
function lookupInstead(
  scan: TableScan,
  conjuncts: readonly Condition[],
  others: number,
  consistent: boolean,
): Candidate | null {
  const lookup = cheapest(scan, conjuncts, lookupCandidates(scan, conjuncts, consistent));
  if (lookup === null) return null;
  const { units } = limitedCost(scan, conjuncts, lookup);
  if (scan.limitHint === null) return countedLookup(lookup, scan.table, { units, others }, consistent);
  return units * lookupAdvantage <= others ? lookup : null;
}

/** What the keys cost at least, whatever they lead to. */
function leastOf({ path }: Candidate, consistent: boolean): number {
  const keys =
    path.kind === 'BatchGetItem' ? path.keys.length : path.kind === 'Query' ? path.ranges.length : 0;
  return keys * leastUnits(consistent);
}

/** A read that comes in order. */
export interface OrderedRead {
  readonly read: TableRead;
  /** The part of its items that is expected to pass what the read does not make sure of. */
  readonly passingPart: number;
}

/**
 * The cheapest read by keys that gives the rows in `scan.orderHint`; null where none does. It may cost more than others:
 * whether it is worth it is for who asks to tell.
 */
export function chooseOrderedRead(scan: TableScan, options: ReadOptions): OrderedRead | null {
  if (!options.pushdown || scan.orderHint.length === 0 || tellsSegments(scan)) return null;
  const conjuncts = scanConditions(scan, knownColumns(scan)).filter(({ kind }) => kind !== 'Always');
  if (isContradiction(conjuncts, scan.table)) return null;
  const best = cheapest(
    scan,
    conjuncts,
    [
      ...keyedCandidates(scan, conjuncts, options.consistent),
      ...lookupCandidates(scan, conjuncts, options.consistent),
    ].filter(({ ordered, path }) => ordered && (path.kind === 'Query' || path.kind === 'IndexLookup')),
  );
  if (best === null) return null;
  const left = conjuncts.filter((conjunct) => !best.exact.has(conjunct));
  return {
    read: tableReadOf(scan, best, conjuncts, options),
    passingPart: left.reduce((part, conjunct) => part * selectivityOf(conjunct, scan.table), 1),
  };
}

function armPlanner(options: ReadOptions): ArmPlanner {
  const { consistent } = options;
  return {
    byKeys: (scan, conjuncts) =>
      cheapest(scan, conjuncts, [
        ...keyedCandidates(scan, conjuncts, consistent),
        ...lookupCandidates(scan, conjuncts, consistent),
      ]),
    readOf: (scan, { conjuncts, candidate }) => tableReadOf(scan, candidate, conjuncts, options),
  };
}

/** The first of the cheapest: candidates come with the better ones first. */
function cheapest(
  scan: TableScan,
  conjuncts: readonly Condition[],
  candidates: readonly Candidate[],
): Candidate | null {
  let best: { candidate: Candidate; units: number } | null = null;
  for (const candidate of candidates) {
    const { units } = limitedCost(scan, conjuncts, candidate);
    // Of two that cost the same, the one whose rows need no other check can stop at the last that is needed.
    const isSurer = (than: Candidate): boolean =>
      scan.limitHint !== null && candidate.exact.size > than.exact.size;
    if (best === null || units < best.units || (units === best.units && isSurer(best.candidate)))
      best = { candidate, units };
  }
  return best?.candidate ?? null;
}

/** Rows that pass and units, when reading ends as soon as enough rows have passed. */
function limitedCost(
  scan: TableScan,
  conjuncts: readonly Condition[],
  { path, index, items, units, exact, ordered, sideBySide }: Candidate,
): { readonly rows: number; readonly units: number } {
  const left = conjuncts.filter((conjunct) => !exact.has(conjunct));
  const rows = items * passingPart(scan, left, { path, index });
  if (scan.limitHint === null || !ordered || rows <= scan.limitHint) return { rows, units };
  const least = Math.min(units, sideBySide / 2);
  // How many items there are for a row that passes is a guess.
  const margin = left.length === 0 ? 1 : GUESS_MARGIN;
  const part = Math.min(1, (sideBySide * margin * scan.limitHint) / rows);
  return { rows: scan.limitHint, units: Math.max(least, units * part) };
}

/** The part of a candidate's items that pass the conjuncts that it leaves to be checked. */
function passingPart(
  scan: TableScan,
  left: readonly Condition[],
  candidate: Pick<Candidate, 'path' | 'index'>,
): number {
  const guess = left.reduce((part, conjunct) => part * selectivityOf(conjunct, scan.table), 1);
  if (left.length === 0 || !hasLearnedFilters(scan, candidate.index)) return guess;
  const filter = filterOf(scan, left, candidate);
  return filter === null ? guess : learnedPart(scan, candidate.index, filterForm(filter), guess);
}

/** The filter to be sent with a read of a range; null where there is nothing to send. */
function filterOf(
  scan: TableScan,
  left: readonly Condition[],
  { path, index }: Pick<Candidate, 'path' | 'index'>,
): ExpressionText | null {
  const { table } = scan;
  if (!isRanged(path)) return null;
  const isOfSegments = path.kind === 'Segments';
  // Of segments whose rows are counted all rows come.
  if (isOfSegments && knownColumns(scan).some((column) => countsRows(table, column))) return null;
  const filterable =
    path.kind === 'IndexLookup' && index !== null
      ? left.filter((conjunct) => isWithinIndex(conjunct, index, table))
      : left;
  const ofPath = path.kind === 'Scan' ? [] : indexKeyNames(queryKey(table, index));
  return filterExpressionOf(filterable, {
    // DynamoDB refuses filters on the keys that a Query goes by, and items have nothing of what their segments tell.
    forbidden: new Set(isOfSegments ? table.told?.keys() : ofPath),
    proven: provenTypes(table.key, index),
  });
}

/** Whether a path reads ranges of keys, or all of them. */
const isRanged = (path: AccessPath): boolean => isPaged(path) || path.kind === 'IndexLookup';

/** See `TableRead`. Rows that go out as they come in (`pageRows`) may be enough before the end. */
function firstPageItems(
  scan: TableScan,
  conjuncts: readonly Condition[],
  { path, index, items, units, exact, ordered, sideBySide }: Candidate,
  { pageRows }: ReadOptions,
): number | null {
  const isMerged = path.kind === 'Query' && path.merged;
  const limitHint = pageRows ?? (isMerged ? scan.limitHint : null);
  const left = conjuncts.filter((conjunct) => !exact.has(conjunct));
  if (limitHint === null || !ordered || (left.length === 0 && !isMerged)) return null;
  if (path.kind !== 'Query' && path.kind !== 'Scan' && path.kind !== 'IndexLookup') return null;
  // Each page rounds up for itself: where all costs little, that is more than what it may save.
  if (!isMerged && units < growingPagesUnitsMin) return null;
  const passing = left.reduce((part, conjunct) => part * selectivityOf(conjunct, scan.table), 1);
  const { itemBytes } = sizeOf(scan.table, index);
  const wanted = Math.ceil((GUESS_MARGIN * limitHint) / Math.max(passing, 1 / items) / sideBySide);
  const first = Math.max(wanted, Math.ceil(firstPageBytesMin / Math.max(1, itemBytes)));
  // A Limit of what is needed says as much.
  const isEnough = left.length === 0 && first >= limitHint;
  return isEnough || first * itemBytes > pageBytesMax ? null : first;
}

function plainScan(scan: TableScan): Candidate {
  const segments = tellsSegments(scan) ? segmentCandidate(scan, [], false) : null;
  const all = segments ?? scanCandidate(scan, entriesIndex(scan.table), [], false);
  return { ...all, reason: 'pushdown is off' };
}

function nothing(scan: TableScan, reason: string, options: ReadOptions): TableRead {
  const path: AccessPath = { kind: 'Nothing' };
  const none = { path, index: null, items: 0, units: 0, exact: new Set<Condition>(), ordered: true };
  return tableReadOf(scan, { ...none, sideBySide: 1, reason }, [], options);
}

function pathsOf(names: readonly string[]): readonly (readonly [string])[] {
  return names.map((name) => [name]);
}

function tableReadOf(
  scan: TableScan,
  chosen: Candidate,
  conjuncts: readonly Condition[],
  options: ReadOptions,
): TableRead {
  const { table, columns } = scan;
  const { path, index, exact, ordered } = chosen;
  const ranged = isRanged(path);
  const left = conjuncts.filter((conjunct) => !exact.has(conjunct));
  const pathKey = queryKey(table, index);
  const filter = filterOf(scan, left, chosen);
  // With pushdown off nothing is known of the predicates, only whether there are any.
  const allExact = left.length === 0 && (options.pushdown || scan.filter.length === 0);
  const limitHint = options.pageRows ?? scan.limitHint;
  const stopAfter = allExact && ordered ? limitHint : null;
  const isMerged = path.kind === 'Query' && path.merged;
  const mergedBy = isMerged ? pathsOf(pathKey.sortKeys.map(({ name }) => name)) : [];
  const countOnly = columns.length === 0 && ranged && !isMerged && path.kind !== 'IndexLookup';
  const keyPaths = pathsOf(keyNames(table.key));
  const paths = columns.map((column) => column.path);
  // BatchGetItem answers in any order, so its items must tell their keys; an empty projection would mean whole items.
  const batched = path.kind === 'BatchGetItem' || path.kind === 'IndexLookup';
  const told = batched || paths.length === 0 || mayRepeat({ path, countOnly }) ? keyPaths : [];
  // Where an item belongs in the index by now.
  const place = path.kind === 'IndexLookup' ? pathsOf(indexKeyNames(pathKey)) : [];
  const wanted = [...paths, ...told, ...place, ...mergedBy];
  const { rows, units } = limitedCost({ ...scan, limitHint }, conjuncts, chosen);
  const firstPage = firstPageItems(scan, conjuncts, chosen, options);
  const bounds = unitBounds({ ...chosen, units }, table, {
    consistent: options.consistent,
    rows: limitHint,
    certainly: stopAfter !== null,
    firstPageItems: firstPage,
  });
  return Object.freeze({
    kind: 'TableRead',
    table,
    alias: scan.alias,
    path: Object.freeze(path),
    filter,
    projection:
      countOnly || path.kind === 'Nothing' ? null : projectionOf(wanted, table, scan.isStarred === true),
    isExact: allExact,
    countOnly,
    consistent: options.consistent,
    columns,
    stopAfter,
    pageLimit: ranged && filter === null ? stopAfter : null,
    firstPageItems: firstPage,
    ordered,
    prefetch: scan.limitHint === null,
    estimate: { rows: Math.round(rows), units: Math.ceil(units * 2) / 2, ...bounds },
    reason: chosen.reason,
    assumption: index === null ? null : assumptionOf(index, table, conjuncts),
    warnings: path.kind === 'Scan' ? scanWarnings(scan, conjuncts, units, options.consistent) : [],
  });
}
