/**
 * Constants whose values change with the time of the statement, as slots of its optimized plan: a plan that was optimized
 * with the values of one time serves another time as it is, but for the values in its slots.
 */
import { isClock } from '../../logical/reads-clock.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { BoundStatement } from '../../logical/plan.ts';
import { transformPlanExpressions, walkDeep, walkExpressionDeep } from '../../logical/visit.ts';
import { constantValue } from '../../logical/constant-value.ts';
import { compareLiterals } from '../compare-literals.ts';

/** By slot; null: the constant has no value that reads can be planned by. */
export type SlotValues = readonly (LiteralValue | null)[];

/** Whether the expression's value depends on the time of the statement. */
export function dependsOnTime(root: Expression): boolean {
  let found = false;
  walkExpressionDeep(root, {
    expression: (node) => {
      found ||= isClock(node);
    },
  });
  return found;
}

/** All other constants that the statement has: what slots may be compared with. */
export function otherConstants({ plan }: BoundStatement): readonly LiteralValue[] {
  const found = new Map<string, LiteralValue>();
  walkDeep(plan, {
    expression: (node) => {
      const value = constantValue(node);
      if (value?.type === 'number' || value?.type === 'temporal') found.set(JSON.stringify(value), value);
    },
  });
  return [...found.values()];
}

/** Numbers that truth values equal. */
const WITH_MEANING: readonly LiteralValue[] = [
  { type: 'number', text: '0' },
  { type: 'number', text: '1' },
];

/**
 * All of the values that the optimizer may decide by: equal for values of which it makes the same plan. It orders exact
 * numbers, and tells whether dates and times are equal; of anything else the value itself may decide.
 */
export function decisiveOf(values: SlotValues, others: readonly LiteralValue[]): string {
  const numbers = [...WITH_MEANING, ...others, ...values].filter((one) => one?.type === 'number');
  return JSON.stringify(
    values.map((value, slot) => {
      if (value?.type !== 'temporal' && value?.type !== 'number') return [value];
      const first = [...others, ...values].findIndex((other) => isSame(value, other));
      const equals = first === others.length + slot ? null : first;
      if (value.type === 'temporal') return ['temporal', value.sqlType, equals];
      if (value.approximate === true) return ['approximate'];
      return ['number', equals, numbers.map((other) => compareLiterals(value, other))];
    }),
  );
}

function isSame(a: LiteralValue, b: LiteralValue | null | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The optimized statement with other values in its slots. */
export function withSlotValues(
  optimized: BoundStatement,
  before: SlotValues,
  now: SlotValues,
): BoundStatement {
  const changed = new Map<LiteralValue, LiteralValue>();
  for (const [slot, value] of before.entries()) {
    const next = now[slot];
    if (value !== null && next != null) changed.set(value, Object.freeze(next));
  }
  // Rules hand a value on as it is, so that it is known by its identity.
  const plan = transformPlanExpressions(optimized.plan, (node) => {
    const folded = node.folded === undefined ? undefined : changed.get(node.folded);
    return folded === undefined ? node : Object.freeze({ ...node, folded });
  });
  return Object.freeze({ ...optimized, plan });
}
