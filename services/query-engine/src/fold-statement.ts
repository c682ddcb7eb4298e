/**
 * A bound statement whose conditions have the values of what depends on no row, so that reads are planned by them. What is of
 * one time alone is in slots: see `optimizer/constants/clock-slots.ts`.
 */
import type { Expression, LiteralValue } from './logical/expression.ts';
import type { BoundStatement } from './logical/plan.ts';
import type { StatementTime } from './logical/statement-time.ts';
import {
  decisiveOf,
  dependsOnTime,
  otherConstants,
  withSlotValues,
  type SlotValues,
} from './optimizer/constants/clock-slots.ts';
import { valueAtAnotherTime } from './optimizer/constants/at-another-time.ts';
import type { FoundConstants } from './optimizer/constants/find-constants.ts';
import { foldConstants } from './optimizer/constants/fold-constants.ts';

/** Values of constants that reads can be planned by; those that have none are left out. */
export type Evaluate = (
  constants: readonly Expression[],
  time: StatementTime | undefined,
) => Promise<ReadonlyMap<Expression, LiteralValue>>;

/** Constants whose values change with the time, and their values at one time. */
export interface TimeSlots {
  /** The statement before it is optimized: these have no values yet. */
  readonly bound: BoundStatement;
  readonly constants: readonly Expression[];
  readonly others: readonly LiteralValue[];
  readonly time: StatementTime;
  readonly values: SlotValues;
}

export interface FoldedStatement {
  readonly statement: BoundStatement;
  /** Null where no value depends on the time. */
  readonly slots: TimeSlots | null;
}

/** A statement as it was optimized, with values in its slots. */
export interface OptimizedStatement extends FoldedStatement {
  /** Its constants were not evaluated, for whom nothing is read. Absent: they were. */
  readonly isUnfolded?: true;
}

const inSlots = ({ bound, constants }: Pick<TimeSlots, 'bound' | 'constants'>, values: SlotValues) =>
  foldConstants(
    bound,
    new Map(
      constants.flatMap((constant, slot) => {
        const value = values[slot];
        return value == null ? [] : [[constant, value] as const];
      }),
    ),
  );

async function valuesAt(
  constants: readonly Expression[],
  time: StatementTime,
  evaluate: Evaluate,
): Promise<SlotValues> {
  const values = await evaluate(constants, time);
  return constants.map((constant) => {
    const value = values.get(constant);
    return value === undefined ? null : Object.freeze(value);
  });
}

/** `time`: asked only where a value depends on it. */
export async function foldStatement(
  statement: BoundStatement,
  { known, unknown }: FoundConstants,
  evaluate: Evaluate,
  time: () => Promise<StatementTime>,
): Promise<FoldedStatement> {
  const timed = statement.readsClock === true ? unknown.filter(dependsOnTime) : [];
  if (timed.length === 0) {
    const values = await evaluate(unknown, undefined);
    return { statement: foldConstants(statement, new Map([...known, ...values])), slots: null };
  }
  const at = await time();
  const values = await evaluate(unknown, at);
  const lasting = new Map([...known, ...values]);
  for (const constant of timed) lasting.delete(constant);
  const bound = foldConstants(statement, lasting);
  const slotValues = timed.map((constant) => values.get(constant) ?? null);
  const slots: TimeSlots = {
    bound,
    constants: timed,
    others: otherConstants(bound),
    time: at,
    values: slotValues,
  };
  return { statement: inSlots(slots, slotValues), slots };
}

/** The slots with the values that they have at another time. */
export async function slotsAt(slots: TimeSlots, time: StatementTime, evaluate: Evaluate): Promise<TimeSlots> {
  if (slots.time === time) return slots;
  const { constants, values: before } = slots;
  const known = before.map((value, slot) =>
    value === null ? null : valueAtAnotherTime(constants[slot]!, value, slots.time, time),
  );
  if (known.includes(null)) return { ...slots, time, values: await valuesAt(constants, time, evaluate) };
  const areSame = known.every((value, slot) => value === before[slot]);
  return { ...slots, time, values: areSame ? before : known };
}

/**
 * The statement as it was optimized, for another time; null where the optimizer might decide otherwise by the values of
 * that time.
 */
export function optimizedAt(
  { statement, slots: before }: OptimizedStatement,
  slots: TimeSlots,
): OptimizedStatement | null {
  if (before === null) return null;
  const { others } = slots;
  if (before.values === slots.values) return { statement, slots };
  if (decisiveOf(before.values, others) !== decisiveOf(slots.values, others)) return null;
  return { statement: withSlotValues(statement, before.values, slots.values), slots };
}

/** The statement to be optimized with these values. */
export function boundAt(slots: TimeSlots): FoldedStatement {
  return { statement: inSlots(slots, slots.values), slots };
}
