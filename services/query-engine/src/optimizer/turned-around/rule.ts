/** What a rule that turns a condition around is given and gives. */
import type { Column, Expression, LiteralValue } from '../../logical/expression.ts';

/** What the values of an operand are, where they are what the key's type says. */
export type OperandType = 'text' | 'number' | 'time' | 'other';

/** `operand operator value`, the value a constant. IN and BETWEEN come as several of these. */
export interface ComparisonWithConstant {
  /** No column alone. */
  readonly operand: Expression;
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  /** Not NULL. */
  readonly value: LiteralValue;
}

/** What the texts of a column begin with, or all that they are. */
export interface Beginning {
  readonly text: string;
  readonly isWhole: boolean;
}

export interface TurnAroundContext {
  /** The type of a key column's values; null for any other column. Columns of bytes are 'other'. */
  readonly keyType: (column: Extract<Expression, { kind: 'ColumnReference' }>) => OperandType | null;
  /** Whether a column is a partition key, of the table or of an index, which is found by equality alone. */
  readonly isPartitionKey: (column: Column) => boolean;
  /** What the conditions beside the one at hand say that a column's texts begin with, one way or another; null: nothing. */
  readonly beginnings: (column: Column) => readonly Beginning[] | null;
}

/**
 * One way to turn conditions around. What it gives must hold wherever what it is given holds, for keys of the declared type;
 * it may hold more often, since rows are checked by the written condition. It peels one layer off: what it gives is about the
 * operand within, and is turned around again until it is about a column. Null: it has nothing to say.
 */
export interface TurnAroundRule {
  readonly name: string;
  readonly comparison?: (given: ComparisonWithConstant, context: TurnAroundContext) => Expression | null;
  /** Of a condition that is no comparison with a constant: a call that is true or false, a LIKE. Never negated. */
  readonly condition?: (given: Expression, context: TurnAroundContext) => Expression | null;
}
