/** Writes a call of converted arguments. */
import type { TextBudget } from '../text-budget.ts';
import { NULL_TYPE, type Typed } from '../types/sql-type.ts';

export type Writer = (values: readonly Typed[], budget: TextBudget) => Typed;

/** The argument, or NULL where it is left out. */
export const at = (values: readonly Typed[], index: number): Typed =>
  values[index] ?? { sql: 'NULL', type: NULL_TYPE };
