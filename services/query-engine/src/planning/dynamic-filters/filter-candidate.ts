/**
 * What a condition says of a scan before anything is read: rows matter only where these columns equal the values of
 * some row of another part of the plan.
 */
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { Cte, LogicalPlan } from '../../logical/plan.ts';

/** `target` is a column below the condition; `source` is over the build side's output. */
export interface CandidatePair {
  readonly target: ColumnId;
  readonly source: Expression;
}

export interface FilterCandidate {
  /** The part of the plan whose rows give the values. */
  readonly buildSide: LogicalPlan;
  /** All of them hold for the same row of the build side. */
  readonly pairs: readonly CandidatePair[];
  /** CTEs that the build side may name. */
  readonly ctes: readonly Cte[];
  /** The node whose condition says so. */
  readonly at: LogicalPlan;
  /** IN and ANY compare values of different types as doubles, which takes long numbers for equal that are not. */
  readonly byDoubles: boolean;
  /** INTERSECT and EXCEPT take NULL for equal to NULL, which no key tells of: only columns without NULL are of use. */
  readonly nullsMatch: boolean;
}

/** Where a condition stands. */
export interface Scope {
  /** Plans whose rows a correlated subquery is asked for, the outermost first. */
  readonly outer: readonly LogicalPlan[];
  readonly ctes: readonly Cte[];
}
