/**
 * Bound expressions: every name is a column, every function is on the list. Frozen data with a `kind`.
 *
 * Columns are known by an ID that is unique in the statement, so an outer column inside a correlated subquery is just
 * a `ColumnReference` to an ID that the subquery's own plan does not produce.
 */
import type { Position } from '../parser/ast.ts';
import type { LogicalPlan } from './plan.ts';

export type ColumnId = number;

/** A column that a plan node produces. */
export interface Column {
  readonly id: ColumnId;
  /** The name to show and to resolve by. */
  readonly name: string;
}

/** A constant. Numbers are digits as written, so that none is lost. */
export type LiteralValue =
  | { readonly type: 'null' }
  /** `approximate`: a DOUBLE, which other numbers are compared with as such; absent: exactly this number. */
  | { readonly type: 'number'; readonly text: string; readonly approximate?: true }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'binary'; readonly base64: string }
  /** DATE, TIME, TIMESTAMP, TIMESTAMPTZ literals. */
  | {
      readonly type: 'temporal';
      readonly sqlType: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ';
      readonly value: string;
    }
  | { readonly type: 'interval'; readonly value: string; readonly unit: string | null };

export type ComparisonOperator =
  | '=' | '<>' | '<' | '<=' | '>' | '>='
  | 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM'; // oxfmt-ignore

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '||' | '&' | '|' | '^' | '<<' | '>>';

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  /** Filled in at binding: NULL sorts below every value unless the statement says otherwise. */
  readonly nullsFirst: boolean;
  /** An array, which is sorted element by element; absent: what it is, by its value. */
  readonly isArray?: true;
}

/** A step into a map or a list; list positions count from 0. */
export type DocumentStep = string | number;

export interface WindowFrameBound {
  readonly kind: 'UnboundedPreceding' | 'Preceding' | 'CurrentRow' | 'Following' | 'UnboundedFollowing';
  readonly offset: Expression | null;
}

export interface WindowSpecification {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortKey[];
  readonly frame: {
    readonly unit: 'ROWS' | 'RANGE' | 'GROUPS';
    readonly start: WindowFrameBound;
    readonly end: WindowFrameBound;
    readonly exclude: 'CURRENT ROW' | 'GROUP' | 'TIES' | null;
  } | null;
}

/** What every expression may carry. */
interface Carried {
  /** The place in the statement that it came from, for errors. */
  readonly pos?: Position | undefined;
  /**
   * Its value, where it depends on no row and the engine has evaluated it before reads are planned. It stays as it is
   * written: reads are planned by the value, and rows are checked by the expression.
   */
  readonly folded?: LiteralValue | undefined;
}

export type Expression = Carried &
  (
    | { readonly kind: 'ColumnReference'; readonly column: Column }
    | { readonly kind: 'Literal'; readonly value: LiteralValue }
    | {
        readonly kind: 'Comparison';
        readonly operator: ComparisonOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | {
        readonly kind: 'Arithmetic';
        readonly operator: ArithmeticOperator;
        readonly left: Expression;
        readonly right: Expression;
        /** Of `/` and `%`: by zero it fails; absent: it is NULL. */
        readonly refusesZero?: true;
      }
    | { readonly kind: 'Negate' | 'BitwiseNot' | 'Not'; readonly operand: Expression }
    | {
        readonly kind: 'And' | 'Or';
        readonly operands: readonly Expression[];
        /** True of `k < a OR k >= b` where hardly any key is between: no reason to read on either side of it apart. */
        readonly isGap?: true;
      }
    | { readonly kind: 'IsNull'; readonly operand: Expression; readonly negated: boolean }
    /** IS [NOT] TRUE | FALSE; IS UNKNOWN is IsNull. */
    | {
        readonly kind: 'IsTruth';
        readonly operand: Expression;
        readonly value: boolean;
        readonly negated: boolean;
      }
    | {
        readonly kind: 'Between';
        readonly operand: Expression;
        readonly low: Expression;
        readonly high: Expression;
        readonly negated: boolean;
      }
    | {
        readonly kind: 'InList';
        readonly operand: Expression;
        readonly values: readonly Expression[];
        readonly negated: boolean;
      }
    | {
        readonly kind: 'Like';
        readonly operand: Expression;
        readonly pattern: Expression;
        readonly escape: Expression | null;
        readonly caseInsensitive: boolean;
        readonly negated: boolean;
      }
    | {
        readonly kind: 'Case';
        readonly operand: Expression | null;
        readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
        readonly otherwise: Expression | null;
      }
    /** `sqlType` is one of the types in binder/types.ts, upper-case. */
    | {
        readonly kind: 'Cast';
        readonly operand: Expression;
        readonly sqlType: string;
        readonly tryCast: boolean;
      }
    | {
        readonly kind: 'Extract';
        readonly field: string;
        readonly operand: Expression;
        /** Seconds, and what is counted by them, have the digits of a time after the point; absent: seconds are whole. */
        readonly withFraction?: true;
      }
    /** A scalar function of the list. */
    | {
        readonly kind: 'FunctionCall';
        readonly name: string;
        readonly arguments: readonly Expression[];
        /** Of MOD and DIV: by zero it fails; absent: it is NULL. */
        readonly refusesZero?: true;
      }
    /** A step into a value that is no table column, e.g. a derived table's map. */
    | {
        readonly kind: 'DocumentAccess';
        readonly operand: Expression;
        readonly path: readonly DocumentStep[];
      }
    | { readonly kind: 'Row'; readonly values: readonly Expression[] }
    | { readonly kind: 'ScalarSubquery'; readonly plan: LogicalPlan }
    | { readonly kind: 'Exists'; readonly plan: LogicalPlan }
    | {
        readonly kind: 'InSubquery';
        readonly operand: Expression;
        readonly plan: LogicalPlan;
        readonly negated: boolean;
      }
    | {
        readonly kind: 'QuantifiedComparison';
        readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=';
        readonly quantifier: 'ANY' | 'ALL';
        readonly operand: Expression;
        readonly plan: LogicalPlan;
      }
  );

/** An aggregate call; lives only in an Aggregate node (or, with a window, in a Window node). */
export interface AggregateCall {
  readonly name: string;
  /** Empty for COUNT(*). */
  readonly arguments: readonly Expression[];
  readonly distinct: boolean;
  readonly orderBy: readonly SortKey[];
  readonly filter: Expression | null;
  /** `WITHIN GROUP (ORDER BY …)`, for percentiles and the mode. */
  readonly withinGroup: readonly SortKey[];
}
