/** What one query may consume: by its caller's wish, and by the owners of the schemas that it reads. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';

/** Read units, and what says so: for the error. */
export interface UnitLimit {
  readonly units: number;
  readonly name: string;
  /** What the caller may do about it. */
  readonly advice: string;
}

const ofCaller = (units: number): UnitLimit => ({
  units,
  name: 'maxReadUnits',
  advice: 'Narrow the query by key, or raise maxReadUnits',
});

const ofSchema = (units: number, schemaName: string): UnitLimit => ({
  units,
  name: `readLimits.unitsPerQuery of schema ${schemaName}`,
  advice: "Narrow the query by key, or have the schema's readLimits.unitsPerQuery raised",
});

/** The smallest of the limits that hold for the query; null where none does. */
export function unitLimitOf(
  maxReadUnits: number | null,
  { reads }: Pick<PhysicalPlan, 'reads'>,
): UnitLimit | null {
  const limits = maxReadUnits === null ? [] : [ofCaller(maxReadUnits)];
  for (const { table } of reads) {
    const units = table.readLimits?.unitsPerQuery ?? null;
    if (units !== null) limits.push(ofSchema(units, table.schemaName));
  }
  return limits.reduce<UnitLimit | null>(
    (least, limit) => (least === null || limit.units < least.units ? limit : least),
    null,
  );
}

/** @throws PenstockError READ_UNIT_LIMIT once more was consumed than the limit allows */
export function checkConsumed(limit: UnitLimit | null, halfUnits: number): void {
  if (limit === null || halfUnits <= limit.units * 2) return;
  throw new PenstockError(
    'READ_UNIT_LIMIT',
    `The query consumed more than ${limit.units} read units and was stopped: ${limit.name} allows no more`,
    { detail: limit.advice },
  );
}

/**
 * Before anything is read. `least`: what the query will consume at least, as far as can be told, read units.
 * @throws PenstockError READ_UNIT_LIMIT where that is more than the limit allows
 */
export function checkLeast(limit: UnitLimit, least: number): void {
  if (least <= limit.units) return;
  throw new PenstockError(
    'READ_UNIT_LIMIT',
    `The query would consume at least ${least} read units, and ${limit.name} allows ${limit.units}: nothing was read`,
    { detail: limit.advice },
  );
}
