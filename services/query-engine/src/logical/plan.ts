/**
 * Logical plan nodes: frozen data with a `kind`. A node's output columns are given by `outputColumns` (output.ts).
 *
 * Row order is part of a plan only above a Sort; Limit applies to the order of its input.
 */
import type { CatalogTable } from '../catalog/table.ts';
import type { Position } from '../parser/ast.ts';
import type {
  AggregateCall,
  Column,
  DocumentStep,
  Expression,
  SortKey,
  WindowSpecification,
} from './expression.ts';

/** A value read from each item: an attribute, or what lies at a document path below one. */
export interface ScanColumn extends Column {
  /** At least one step; the first is the attribute's name. */
  readonly path: readonly DocumentStep[];
}

/** The first rows of each group: others are not wanted, as those that are no newest of their device. */
export interface TopOfEach {
  /** Rows that are equal in these are a group; none: all rows are one. */
  readonly by: readonly ScanColumn[];
  /** One at least. */
  readonly order: readonly { readonly column: ScanColumn; readonly descending: boolean }[];
  /** So many of each group. */
  readonly rows: number;
  /**
   * Of rows that are equal in the order: `any` of them will do; `all` that are equal to the last one are wanted, too; or the
   * rows are only known where there are `none`.
   */
  readonly ties: 'any' | 'all' | 'none';
  /** Whether rows without a value to order them by come behind all others, or are not wanted. */
  readonly nullsLast: boolean;
}

export interface TableScan {
  readonly kind: 'TableScan';
  readonly table: CatalogTable;
  /** The name that the statement knows this occurrence by, for EXPLAIN. */
  readonly alias: string;
  /** What the plan above uses; the optimizer prunes it. May be empty (only a count is needed). */
  readonly columns: readonly ScanColumn[];
  /**
   * Conjuncts over `columns` that every row of interest satisfies. A hint for the read: it may return rows that fail
   * them, never lose one that passes. The Filter they came from stays in the plan and decides.
   */
  readonly filter: readonly Expression[];
  /** Those of `filter` that no Filter has: what is above ignores rows that fail them. Absent: none. */
  readonly implied?: readonly Expression[];
  /**
   * True where a star shows the table: whole items are read where all that the catalog knows is wanted, also while no sample
   * has met an item. Absent: not.
   */
  readonly isStarred?: boolean;
  /** Columns that only `filter` names: known to the read, and not handed on. Absent: none. */
  readonly filterColumns?: readonly ScanColumn[];
  /**
   * At most this many rows that pass `filter` are needed, in the read's own order; null: all. Set only where nothing
   * above but Filter (whose conjuncts are all in `filter`), Project and Limit sits between. Where the page that is asked
   * for counts, it speaks of the first page.
   */
  readonly limitHint: number | null;
  /** The order in which the rows are wanted, where reading in that order would save something; a hint. */
  readonly orderHint: readonly { readonly column: ScanColumn; readonly descending: boolean }[];
  /** Of the rows that pass `filter`, those that are wanted; a hint. Absent: all. */
  readonly topOfEach?: TopOfEach;
  /**
   * True where estimates may use what executed queries saw; absent: not. That changes from one query to the next, so it
   * may choose a path only where all rows are read and their order does not count: pages of a statement come in one order.
   */
  readonly byLearned?: boolean;
}

/** Rows of expressions; one row of no columns is a SELECT without FROM. No rows: a contradiction, reads nothing. */
export interface Values {
  readonly kind: 'Values';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Expression[])[];
}

export interface Filter {
  readonly kind: 'Filter';
  readonly input: LogicalPlan;
  /** Conjuncts. */
  readonly predicates: readonly Expression[];
}

export interface Project {
  readonly kind: 'Project';
  readonly input: LogicalPlan;
  readonly columns: readonly { readonly column: Column; readonly expression: Expression }[];
}

export interface Join {
  readonly kind: 'Join';
  readonly join: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  /** Conjuncts of ON; empty for cross. */
  readonly on: readonly Expression[];
  /** Whether the right names columns of the left, and is computed for each of its rows; only inner, left and cross. */
  readonly lateral: boolean;
}

/** Each row of the input once for each element of its list. What is no list has no elements. */
export interface Unnest {
  readonly kind: 'Unnest';
  readonly input: LogicalPlan;
  readonly list: Expression;
  /** Whether a row without elements stays, with NULLs. */
  readonly outer: boolean;
  readonly column: Column;
  /** The element's place, from 1. */
  readonly ordinality: Column | null;
  readonly pos: Position;
}

/** The numbers or instants from a start to a stop. None where one of them is NULL. */
export interface Series {
  readonly kind: 'Series';
  /** A start, a stop and perhaps a step: of no columns of the plan. */
  readonly arguments: readonly Expression[];
  readonly column: Column;
  /** Counts the rows from 1. */
  readonly ordinality: Column | null;
  readonly pos: Position;
}

export interface Aggregate {
  readonly kind: 'Aggregate';
  readonly input: LogicalPlan;
  readonly groupBy: readonly { readonly column: Column; readonly expression: Expression }[];
  /** Positions in `groupBy` for each set of GROUPING SETS / ROLLUP / CUBE; null: one set of all. */
  readonly groupingSets: readonly (readonly number[])[] | null;
  readonly aggregates: readonly { readonly column: Column; readonly call: AggregateCall }[];
  /** Columns of GROUPING(...) calls: positions in `groupBy`. */
  readonly groupings: readonly { readonly column: Column; readonly of: readonly number[] }[];
}

export interface Window {
  readonly kind: 'Window';
  readonly input: LogicalPlan;
  readonly functions: readonly {
    readonly column: Column;
    readonly call: AggregateCall;
    readonly window: WindowSpecification;
  }[];
}

export interface Distinct {
  readonly kind: 'Distinct';
  readonly input: LogicalPlan;
  /** DISTINCT ON expressions; null: all columns. Which row stays follows the input's Sort. */
  readonly on: readonly Expression[] | null;
}

export interface SetOperation {
  readonly kind: 'SetOperation';
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  /** New columns, by position. */
  readonly columns: readonly Column[];
}

export interface Sort {
  readonly kind: 'Sort';
  readonly input: LogicalPlan;
  readonly keys: readonly SortKey[];
}

export interface Limit {
  readonly kind: 'Limit';
  readonly input: LogicalPlan;
  /** Null: all. A parameter is replaced by its number at binding. */
  readonly count: number | null;
  readonly offset: number;
}

/** Common table expressions that are in scope in `body` and in those after them. */
export interface With {
  readonly kind: 'With';
  readonly ctes: readonly Cte[];
  readonly body: LogicalPlan;
}

export interface Cte {
  /** Unique in the statement. */
  readonly id: number;
  readonly name: string;
  readonly plan: LogicalPlan;
}

/** One use of a CTE: its columns anew, by position. */
export interface CteScan {
  readonly kind: 'CteScan';
  readonly cteId: number;
  readonly name: string;
  readonly columns: readonly Column[];
}

/**
 * Rows that a query makes from its own: those of `base`, then again and again what `step` makes of the rows that came
 * last, until it makes none.
 */
export interface Recursion {
  readonly kind: 'Recursion';
  /** Unique in the statement, CTEs included. */
  readonly id: number;
  readonly name: string;
  /** Whether rows that were there before count again; else they are dropped, and nothing comes of them. */
  readonly all: boolean;
  readonly base: LogicalPlan;
  readonly step: LogicalPlan;
  /** New columns, by position. */
  readonly columns: readonly Column[];
}

/** In the step of a recursion: the rows that came last. */
export interface RecursionScan {
  readonly kind: 'RecursionScan';
  readonly recursionId: number;
  readonly name: string;
  readonly columns: readonly Column[];
}

export type LogicalPlan =
  | TableScan
  | Values
  | Filter
  | Project
  | Join
  | Unnest
  | Series
  | Aggregate
  | Window
  | Distinct
  | SetOperation
  | Sort
  | Limit
  | With
  | CteScan
  | Recursion
  | RecursionScan;

/** A whole statement: the plan, and its output columns as they are shown. */
export interface BoundStatement {
  readonly plan: LogicalPlan;
  readonly columns: readonly Column[];
  /** What the caller should know, e.g. that the statement was understood in a particular way. */
  readonly warnings: readonly string[];
  /** Columns of all its tables, SELECTs and CTEs together: how large it is. */
  readonly columnCount: number;
  /** Where a star stands among its columns: which there are, the catalog says. Null where none does. */
  readonly star: Position | null;
  /** So many of its last columns are documents of what no column is for. */
  readonly others: number;
  /** It names the time at which it runs. Absent: it does not. */
  readonly readsClock?: true;
}
