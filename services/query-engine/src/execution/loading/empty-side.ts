/** Whether a read is of no use, since a side of the statement that must have rows has none. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { writeHasRows } from '../../duckdb-sql/has-rows.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import type { EmptySide, PhysicalPlan } from '../../planning/physical-plan.ts';
import type { Session } from '../session/session.ts';
import { sourceFinder } from './sources.ts';

/**
 * True where one of the sides has no rows. A side that cannot be computed says nothing: the statement itself may never ask
 * for what it stumbled over.
 */
export async function isAnyEmpty(
  sides: readonly EmptySide[],
  plan: PhysicalPlan,
  loaded: readonly (ScanSource | undefined)[],
  session: Session,
): Promise<boolean> {
  for (const { query } of sides) {
    try {
      const rows = await session.rows(writeHasRows(query, sourceFinder(plan, loaded)));
      if (rows.length === 0) return true;
    } catch (error) {
      const known = error instanceof PenstockError && ['EXECUTION_ERROR', 'TYPE_ERROR'].includes(error.code);
      if (!known) throw error;
    }
  }
  return false;
}
