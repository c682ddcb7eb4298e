/** From an optimized statement to the reads and the residual that carry it out. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { requiredAttributes } from '../catalog/index-relation.ts';
import type { OrderedRead } from '../dynamodb/choose-read.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { BoundStatement, LogicalPlan, TableScan } from '../logical/plan.ts';
import { hasSubquery } from '../logical/references.ts';
import { expressionsOf, transformPlan, walkDeep } from '../logical/visit.ts';
import type { Execution, PhysicalPlan, ScanBinding } from './physical-plan.ts';
import { bothEndsByReading } from './both-ends.ts';
import { planReads, type PlannedReads } from './dynamic-filters/plan-reads.ts';
import { chooseEmptySides, withLeastUnits } from './empty-sides/choose-empty-sides.ts';
import { countsByReading } from './count-items.ts';
import { extremesByReading } from './min-max.ts';
import { triesInOrder, type OrderedTry } from './ordered-tries.ts';
import { pageOrderOf, withOrderColumns } from './page-order.ts';
import { readingToTheEnd } from './read-to-the-end.ts';
import { orderByReading, topRowsByReading } from './read-order.ts';
import { rowCheck, type CheckedColumn } from './row-check.ts';
import { shareReads, type ChooseRead } from './share-reads.ts';
import { limitsOf, type RowWindow } from '../logical/limits-of.ts';

export interface PlanOptions {
  /** The page that is wanted. */
  readonly firstRowIdx: number;
  /** Infinity: the whole result is wanted. */
  readonly maxRows: number;
  /** `pageRows`: rows that the page needs of a scan whose `limitHint` speaks of the first page. */
  readonly chooseRead: (scan: TableScan, pageRows?: number) => TableRead;
  /** The cheapest read in a scan's order; null where none gives it. Absent: none is tried. */
  readonly chooseOrdered?: (scan: TableScan) => OrderedRead | null;
}

/** A plan whose rows come one for one, in their order, from a single read. */
interface RowByRow {
  readonly scan: TableScan;
  /** Without its limits. */
  readonly plan: LogicalPlan;
  readonly rows: RowWindow;
}

function scansOf(plan: LogicalPlan): readonly TableScan[] {
  const scans: TableScan[] = [];
  walkDeep(plan, { plan: (node) => void (node.kind === 'TableScan' && scans.push(node)) });
  return scans;
}

/** The page's rows within a LIMIT and OFFSET. */
function within(rows: RowWindow, count: number | null, offset: number): RowWindow {
  const left = count === null ? rows.count : Math.min(Math.max(count - rows.offset, 0), rows.count);
  return { offset: rows.offset + offset, count: left };
}

/** Takes a chain of Limit, Project and Filter over one read apart; null for every other plan. */
function rowByRow(plan: LogicalPlan, rows: RowWindow, belowLimit = false): RowByRow | null {
  switch (plan.kind) {
    case 'TableScan':
      return { scan: plan, plan, rows };
    case 'Limit':
      return belowLimit ? null : rowByRow(plan.input, within(rows, plan.count, plan.offset));
    case 'Project':
    case 'Filter': {
      if (expressionsOf(plan).some(hasSubquery)) return null;
      // A limit below a filter decides which rows the filter sees.
      const input = rowByRow(plan.input, rows, belowLimit || plan.kind === 'Filter');
      return input === null ? null : { ...input, plan: { ...plan, input: input.plan } };
    }
    default:
      return null;
  }
}

/** Column choice and simple checks only: DuckDB has nothing to do. */
function asLookup(chain: RowByRow, read: TableRead, binding: ScanBinding): Execution | null {
  const columns = new Map(
    chain.scan.columns.map((column, i) => [column.id, checked(column.path, read, binding.positions[i])]),
  );
  let node = chain.plan;
  let outputs = outputColumns(node).map(({ id }) => id);
  while (node.kind === 'Project') {
    const chosen = new Map(node.columns.map(({ column, expression }) => [column.id, expression]));
    const below = outputs.map((id) => chosen.get(id));
    if (!below.every((e) => e?.kind === 'ColumnReference')) return null;
    outputs = below.map((e) => e.column.id);
    node = node.input;
  }
  const predicates: Expression[] = [];
  for (; node.kind === 'Filter'; node = node.input) predicates.push(...node.predicates);
  if (node.kind !== 'TableScan') return null;
  const columnOf = (id: number): CheckedColumn | null => columns.get(id) ?? null;
  if (!predicates.every((predicate) => rowCheck(predicate, columnOf) !== null)) return null;
  const order = pageOrderOf(read, chain.scan);
  const shown = [...outputs, ...order.map(({ column }) => column.id)];
  return {
    kind: 'lookup',
    rows: chain.rows,
    predicates,
    outputs: shown.map((id) => columnOf(id)?.position ?? -1),
    rowPlan: withOrderColumns(chain.plan, order),
    order,
  };
}

/** Key attributes have one type in every item; of others nothing is sure. */
function checked(path: readonly (string | number)[], read: TableRead, position = -1): CheckedColumn {
  const key = requiredAttributes(read.table).find(({ name }) => path.length === 1 && name === path[0]);
  return { position, type: key?.type === 'S' || key?.type === 'N' ? key.type : null };
}

/** What is known of the scan's columns, for checking rows as they were read. */
export function checkedColumns(plan: PhysicalPlan): ReadonlyMap<number, CheckedColumn> {
  const known = new Map<number, CheckedColumn>();
  for (const [scan, { read, positions }] of plan.bindings) {
    const source = plan.reads[read];
    if (source === undefined) continue;
    scan.columns.forEach((column, i) => known.set(column.id, checked(column.path, source, positions[i])));
  }
  return known;
}

/** With what queries saw before, where the read's order does not count. */
function byLearned(chooseRead: ChooseRead): ChooseRead {
  return remembered((scan: TableScan) => {
    const isWhole = scan.limitHint === null && scan.orderHint.length === 0;
    return scan.table.learned !== undefined && isWhole
      ? chooseRead({ ...scan, byLearned: true })
      : chooseRead(scan);
  });
}

/**
 * Rows that go out as they come in must come in order, where parallel segments would have to wait for each other; and
 * none is asked for before it is known to be wanted, which all are of a whole result.
 */
function oneByOne(read: TableRead, isWhole: boolean): TableRead {
  const { path } = read;
  return {
    ...read,
    prefetch: isWhole && read.prefetch,
    path: path.kind === 'Scan' ? { ...path, segments: 1 } : path,
  };
}

const NO_TRIES: ReadonlyMap<TableScan, OrderedTry> = new Map();

/** The position of the read that is tried for a scan. */
function readOf(scan: TableScan, { read }: OrderedTry, { reads, bindings }: PlannedReads): number {
  const position = bindings.get(scan)?.read ?? -1;
  if (reads[position] !== read) throw new Error(`another read serves ${scan.alias} than is tried for it`);
  return position;
}

/** A plan that reads everything before it computes. */
function* planWhole(
  optimized: BoundStatement,
  options: PlanOptions,
  chooseRead: ChooseRead,
): Generator<void, PhysicalPlan> {
  const { firstRowIdx, maxRows } = options;
  const { count } = limitsOf(optimized.plan);
  // A page behind the statement's own LIMIT is empty whatever the tables hold.
  const isBeyond = count !== null && count <= firstRowIdx;
  const toTheEnd = remembered(readingToTheEnd(chooseRead));
  const choose: ChooseRead = isBeyond ? (scan) => chooseRead({ ...scan, limitHint: 0 }) : toTheEnd;
  const extremes = extremesByReading(optimized.plan, choose);
  yield;
  const ends = bothEndsByReading(extremes, choose);
  yield;
  const top = topRowsByReading(ends, choose);
  yield;
  const counted = countsByReading(top, choose);
  yield;
  const chooseOrdered = isBeyond ? undefined : options.chooseOrdered;
  const { plan, tries } =
    chooseOrdered === undefined
      ? { plan: counted, tries: NO_TRIES }
      : triesInOrder(counted, { chooseRead: choose, chooseOrdered: remembered(chooseOrdered) });
  yield;
  const learned = byLearned(choose);
  const planned = yield* planReads(plan, scansOf(plan), (scan) => tries.get(scan)?.read ?? learned(scan));
  yield;
  const emptySides = chooseEmptySides(plan, planned);
  return {
    statement: { ...optimized, plan },
    page: { firstRowIdx, maxRows },
    ...planned,
    reads: withLeastUnits(planned.reads, emptySides),
    emptySides,
    tries: new Map([...tries].map(([scan, attempt]) => [readOf(scan, attempt, planned), attempt])),
    execution: { kind: 'full', rows: { offset: firstRowIdx, count: maxRows } },
  };
}

/**
 * Whether rows go out as they are looked up and how many have to be is a guess: a statement with a LIMIT of its own that
 * fits a page is better tried, with something to fall back on.
 */
function isGuess({ plan: root }: BoundStatement, chain: RowByRow, read: TableRead, maxRows: number): boolean {
  const { count, offset } = limitsOf(root);
  const isOfPage = count !== null && count + offset <= maxRows;
  return isOfPage && read.path.kind === 'IndexLookup' && !read.isExact && chain.scan.limitHint !== null;
}

/**
 * The statement without what is said of the first page, where its one read may be an index lookup, and all its rows are
 * likely to be on that page: then they are all counted before any is looked up. Null where some are wanted only. The same
 * for each page of a statement.
 */
function countedFirst(
  statement: BoundStatement,
  scan: TableScan,
  maxRows: number,
  chooseRead: ChooseRead,
): BoundStatement | null {
  if (scan.limitHint === null || scan.table.indexes.length === 0) return null;
  const toTheEnd = <T extends LogicalPlan>(node: T): T =>
    node.kind === 'TableScan' ? { ...node, limitHint: null } : node;
  const { path, estimate } = chooseRead(toTheEnd(scan));
  if (path.kind !== 'IndexLookup' || estimate.rows > maxRows) return null;
  return { ...statement, plan: transformPlan(statement.plan, toTheEnd) };
}

/** Plans the reads and the residual. Pure: nothing is sent. Yields where others may have their turn. */
export function* planQuery(optimized: BoundStatement, options: PlanOptions): Generator<void, PhysicalPlan> {
  const { firstRowIdx, maxRows } = options;
  const page = { firstRowIdx, maxRows };
  const isWhole = maxRows === Infinity;
  // Each step of planning asks for the same scans again.
  const chooseRead = remembered((scan: TableScan) => options.chooseRead(scan));
  const rows = { offset: options.firstRowIdx, count: options.maxRows };
  // As for the first page: a page is cut out of the same order as those before it.
  const inReadOrder = orderByReading(optimized.plan, rows.count, chooseRead);
  yield;
  const plan = inReadOrder ?? optimized.plan;
  const chain = rowByRow(plan, rows);
  if (chain === null) return yield* planWhole(optimized, options, chooseRead);
  if (inReadOrder !== null && isGuess(optimized, chain, chooseRead(chain.scan), maxRows)) {
    const whole = yield* planWhole(optimized, options, chooseRead);
    if (whole.tries.size > 0) return whole;
  }
  const isPage = inReadOrder === null && limitsOf(optimized.plan).count === null;
  const counted = isPage ? countedFirst(optimized, chain.scan, maxRows, chooseRead) : null;
  if (counted !== null) {
    const whole = yield* planWhole(counted, options, chooseRead);
    const [lookup] = whole.lookups.values();
    // The items of a page alone, of which each is a row.
    const { path, estimate } = chooseRead(chain.scan);
    const isPageCheap =
      path.kind === 'IndexLookup' && estimate.high <= (lookup?.fallback.estimate.units ?? 0);
    if (lookup !== undefined && !isPageCheap) return whole;
  }
  const statement = { ...optimized, plan };
  const { offset, count } = chain.rows;
  // A page behind the statement's own LIMIT needs none.
  const needed = count === 0 ? 0 : offset + count;
  const pageRows = chain.scan.limitHint === null ? undefined : needed;
  const { reads, bindings } = shareReads([chain.scan], (scan) =>
    oneByOne(options.chooseRead(scan, pageRows), isWhole),
  );
  const [read] = reads;
  const binding = bindings.get(chain.scan);
  const lookup = read === undefined || binding === undefined ? null : asLookup(chain, read, binding);
  const order = read === undefined ? [] : pageOrderOf(read, chain.scan);
  // What must be put in order is not to be kept here, where nobody knows how much it is.
  if (isWhole && order.length > 0) return yield* planWhole(optimized, options, chooseRead);
  const rowPlan = withOrderColumns(chain.plan, order);
  const execution: Execution = lookup ?? { kind: 'pageByPage', rows: chain.rows, rowPlan, order };
  const none = { filteredScans: new Map(), lookups: new Map(), tries: new Map(), emptySides: new Map() };
  return { statement, page, reads, ...none, bindings, execution };
}
