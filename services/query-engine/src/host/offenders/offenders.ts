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
  /** A worker was lost while it worked on these statements. `wasKilled`: for what one of them did. */
  count(suspects: readonly Suspect[], wasKilled: boolean): Promise<void>;
}

export interface Suspect {
  readonly tenantId: string;
  readonly statementHash: string;
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

  /** True where workers were lost on it so often that it is why. */
  const countStatement = ({ tenantId, statementHash }: Suspect, now: number): boolean => {
    const key = `${tenantId} ${statementHash}`;
    const at = [...recent(statements.get(key) ?? [], now), now];
    statements.set(key, at);
    return at.length >= UNCERTAIN_ENDS_MAX;
  };
  const countTenant = (tenantId: string, now: number): void => {
    const { at: before, apartSince } = tenants.get(tenantId) ?? NONE;
    const at = [...recent(before, now), now];
    const isApart =
      at.length >= ENDED_WORKERS_MAX || (apartSince !== null && now - apartSince < KEPT_APART_MS);
    tenants.set(tenantId, { at, apartSince: isApart ? now : null });
  };

  return Object.freeze({
    isApart(tenantId) {
      const { apartSince } = tenants.get(tenantId) ?? NONE;
      return apartSince !== null && clock.now() - apartSince < KEPT_APART_MS;
    },
    async count(suspects, wasKilled) {
      const now = clock.now();
      const isCertain = wasKilled && suspects.length === 1;
      const guilty = suspects.filter((suspect) => countStatement(suspect, now) || isCertain);
      const owners = new Set(suspects.map(({ tenantId }) => tenantId));
      // Whichever statement it was, it was theirs.
      const blamed =
        wasKilled && owners.size === 1 ? owners : new Set(guilty.map(({ tenantId }) => tenantId));
      for (const tenantId of blamed) countTenant(tenantId, now);
      await Promise.all(guilty.map(({ tenantId, statementHash }) => refused.add(tenantId, statementHash)));
    },
  } satisfies Offenders);
}
