import type {
  AstExpression,
  AstStarChanges,
  AstWindowFrame,
  BinaryOperator,
  Identifier,
  PathStep,
  Position,
} from './ast.ts';

/**
 * What the placeholders stand for. The pre-pass replaces every name, literal, operator and special form of a statement
 * by a placeholder (`q7`, or a call `q7(…)` where there are parts), the grammar arranges these, and the tree is built
 * by looking them up here again. So nothing that the caller wrote ever reaches the grammar.
 */

/** The operators that stand between two operands. `BETWEEN` takes a second one after `AND`, LIKE one after `ESCAPE`. */
export type InfixOperator =
  BinaryOperator | 'AND' | 'OR' | 'LIKE' | 'ILIKE' | 'SIMILAR TO' | 'BETWEEN' | 'IN' | 'ESCAPE' | Quantified;
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
/** `= ANY`, `<> ALL` and so on; SOME is ANY. */
export type Quantified = `${ComparisonOperator} ${'ANY' | 'ALL'}`;

/** Placeholders in a chain of operands and operators. */
export type ChainMark =
  | { readonly kind: 'Leaf'; readonly expression: AstExpression }
  | { readonly kind: 'Prefix'; readonly operator: '-' | '+' | '~' | 'NOT'; readonly pos: Position }
  | {
      readonly kind: 'Infix';
      readonly operator: InfixOperator;
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Is';
      readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
      readonly negated: boolean;
      readonly pos: Position;
    }
  | { readonly kind: 'CastSuffix'; readonly type: string; readonly pos: Position }
  | { readonly kind: 'AccessSuffix'; readonly path: readonly PathStep[]; readonly pos: Position }
  /** With the computed index as its operand. */
  | { readonly kind: 'SubscriptSuffix'; readonly pos: Position }
  /** Stands before the grammar's own CASE … END, which has no place of its own. */
  | { readonly kind: 'CasePlace'; readonly pos: Position };

/** Calls that are operands. */
export type OperandMark =
  | { readonly kind: 'Group' | 'Row' | 'List' | 'Subquery' | 'Exists'; readonly pos: Position }
  | {
      readonly kind: 'Function';
      readonly name: string;
      readonly distinct: boolean;
      readonly star: boolean;
      readonly pos: Position;
    }
  /** Forms with a syntax of their own (CAST, EXTRACT, TRIM, …), made from their arguments in the order written. */
  | {
      readonly kind: 'Form';
      readonly make: (operands: readonly AstExpression[]) => AstExpression;
      readonly pos: Position;
    };

/** Calls after a function call. */
export type FunctionSuffixMark =
  | { readonly kind: 'WithinGroup' | 'Filter'; readonly pos: Position }
  /** `base` is the named window it refers to or extends; `named` if it is `OVER w` and not `OVER (w …)`. */
  | {
      readonly kind: 'Over';
      readonly base: Identifier | null;
      readonly named: boolean;
      readonly pos: Position;
    };

/** Calls and names that carry the clauses which the grammar lacks or misplaces. */
export type ClauseMark =
  /** The first column of a SELECT of the grammar; what the SELECT consists of stands in its WHERE. */
  | {
      readonly kind: 'SelectHead';
      readonly distinct: boolean | 'ON';
      readonly allBefore: boolean;
      readonly pos: Position;
    }
  | { readonly kind: 'QueryOperand' | 'ValuesOperand'; readonly allBefore: boolean; readonly pos: Position }
  /** Links of the chain in the grammar's WHERE. A `Nested` holds the query of a derived table, or of parentheses. */
  | { readonly kind: 'DistinctOn' | 'Items' | 'Nested' | 'Where' | 'ValuesRow'; readonly pos: Position }
  /** Stands before a SELECT item: the tokens from `from` up to `to`, with the alias, which comes last. */
  | { readonly kind: 'Item'; readonly from: number; readonly to: number; readonly pos: Position }
  /** With the expressions of REPLACE as its operands, which are for the columns of `replace`. */
  | {
      readonly kind: 'Star';
      readonly qualifier: readonly Identifier[];
      readonly exclude: readonly Identifier[];
      readonly replace: readonly Identifier[];
      readonly rename: AstStarChanges['rename'];
      readonly pos: Position;
    }
  | { readonly kind: 'Alias'; readonly identifier: Identifier; readonly index: number }
  | { readonly kind: 'Cte'; readonly name: Identifier; readonly columns: readonly Identifier[] }
  | FromMark
  | {
      readonly kind: 'GroupExpression' | 'Rollup' | 'Cube' | 'GroupingSets' | 'GroupingSet';
      readonly pos: Position;
    }
  | { readonly kind: 'Having' | 'Windows' | 'Qualify'; readonly pos: Position }
  | {
      readonly kind: 'WindowDefinition';
      readonly name: Identifier;
      readonly pos: Position;
    }
  | { readonly kind: 'PartitionBy' | 'WindowOrder'; readonly pos: Position }
  | {
      readonly kind: 'Frame';
      readonly unit: AstWindowFrame['unit'];
      readonly bounds: readonly FrameBoundMark[];
      readonly exclude: AstWindowFrame['exclude'];
    }
  | {
      readonly kind: 'SortKey';
      readonly descending: boolean;
      readonly nulls: 'FIRST' | 'LAST' | null;
      readonly pos: Position;
    }
  | { readonly kind: 'Limit' | 'Offset'; readonly pos: Position };

/** A FROM item; `join` is how it is joined to what stands before it. */
export type FromMark =
  | {
      readonly kind: 'Table';
      readonly schema: Identifier | null;
      readonly table: Identifier;
      readonly join: JoinMark;
      readonly alias: Identifier | null;
      readonly columnAliases: readonly Identifier[];
      readonly pos: Position;
    }
  | {
      readonly kind: 'Derived';
      readonly join: JoinMark;
      readonly alias: Identifier | null;
      readonly columnAliases: readonly Identifier[];
      readonly pos: Position;
    }
  | { readonly kind: 'NestedJoin'; readonly join: JoinMark; readonly pos: Position };

export interface JoinMark {
  /** `FIRST` begins a comma-separated part of FROM. */
  readonly type: 'FIRST' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS' | 'SEMI';
  readonly natural: boolean;
}

/** A frame bound; with `Preceding` and `Following` goes the next of the call's arguments. */
export type FrameBoundMark =
  'UnboundedPreceding' | 'UnboundedFollowing' | 'CurrentRow' | 'Preceding' | 'Following';

export type Mark = ChainMark | OperandMark | FunctionSuffixMark | ClauseMark;
