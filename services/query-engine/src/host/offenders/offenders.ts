/** Tenants whose statements end workers: those statements are refused, and at last the tenant runs apart. */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import {
  ENDED_WORKERS_MAX,
  KEPT_APART_MS,
  OFFENDERS_REMEMBERED,
  REFUSED_MS,
  UNCERTAIN_ENDS_MAX,
} from '../limits.ts';
import type { RefusedStatements } from './refused-statements.ts';

export interface Offenders {
  /** True for a tenant whose queries run in the worker that is kept for such tenants. */
  isApart(tenantId: string): boolean;
  /** A worker was lost while it worked on the statement. `isCertain`: that is why. */
  count(tenantId: string, statementHash: string, isCertain: boolean): Promise<void>;
}

interface Ends {
  readonly at: readonly number[];
  readonly apartSince: number | null;
}

const NONE: Ends = Object.freeze({ at: [], apartSince: null });

export function createOffenders(
  refused: Pick<RefusedStatements, 'add'>,
  clock: Clock = systemClock,
): Offenders {
  const tenants = boundedCache<Ends>(OFFENDERS_REMEMBERED);
  const statements = boundedCache<readonly number[]>(OFFENDERS_REMEMBERED);
  const recent = (times: readonly number[], now: number): readonly number[] =>
    times.filter((time) => now - time < REFUSED_MS);
  return Object.freeze({
    isApart(tenantId) {
      const { apartSince } = tenants.get(tenantId) ?? NONE;
      return apartSince !== null && clock.now() - apartSince < KEPT_APART_MS;
    },
    async count(tenantId, statementHash, isCertain) {
      const now = clock.now();
      const key = `${tenantId} ${statementHash}`;
      const ofStatement = [...recent(statements.get(key) ?? [], now), now];
      statements.set(key, ofStatement);
      if (!isCertain && ofStatement.length < UNCERTAIN_ENDS_MAX) return;
      const { at: before, apartSince } = tenants.get(tenantId) ?? NONE;
      const at = [...recent(before, now), now];
      const isApart =
        at.length >= ENDED_WORKERS_MAX || (apartSince !== null && now - apartSince < KEPT_APART_MS);
      tenants.set(tenantId, { at, apartSince: isApart ? now : null });
      await refused.add(tenantId, statementHash);
    },
  } satisfies Offenders);
}
