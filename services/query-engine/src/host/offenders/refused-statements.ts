/**
 * Statements that ended a worker: for a while nobody runs one like them for that tenant. On Redis, for all engines; in this
 * process's memory as well, while Redis is away.
 */
import type { Redis } from 'ioredis';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { within } from '@penstock/common/time/within.ts';
import type { RefusedStatement } from '../../pipe/messages.ts';
import {
  OFFENDERS_REMEMBERED,
  REFUSED_FRESH_MS,
  REFUSED_MS,
  REFUSED_PER_TENANT_MAX,
  REFUSED_WAIT_MS_MAX,
} from '../limits.ts';

export interface RefusedStatements {
  /** Those of the tenant, now. Never rejects; where they were asked for just now, it is no promise. */
  of(tenantId: string): readonly RefusedStatement[] | Promise<readonly RefusedStatement[]>;
  add(tenantId: string, statementHash: string): Promise<void>;
}

interface Known {
  readonly askedAt: number;
  readonly statements: readonly RefusedStatement[];
}

const keyOf = (tenantId: string): string => `penstock:refused:${tenantId}`;

export function createRefusedStatements(redis: Redis | null): RefusedStatements {
  const own = boundedCache<readonly RefusedStatement[]>(OFFENDERS_REMEMBERED);
  const known = boundedCache<Known>(OFFENDERS_REMEMBERED);
  let restUntil = 0;

  const ownOf = (tenantId: string): readonly RefusedStatement[] => {
    const now = Date.now();
    return (own.get(tenantId) ?? []).filter(({ until }) => until > now);
  };
  /** Null where Redis is away or slow; it is then left alone for a moment. */
  const shared = async <T>(ask: (redis: Redis) => Promise<T>): Promise<T | null> => {
    if (redis?.status !== 'ready' || performance.now() < restUntil) return null;
    try {
      return await within(REFUSED_WAIT_MS_MAX, ask(redis));
    } catch {
      restUntil = performance.now() + REFUSED_FRESH_MS;
      return null;
    }
  };
  const ask = async (tenantId: string): Promise<readonly RefusedStatement[]> => {
    const askedAt = performance.now();
    const found = await shared((client) =>
      client.zrange(keyOf(tenantId), Date.now(), '+inf', 'BYSCORE', 'WITHSCORES'),
    );
    const statements = [...ownOf(tenantId)];
    for (let i = 0; found !== null && i + 1 < found.length; i += 2) {
      const [statementHash = '', until = ''] = found.slice(i, i + 2);
      if (!statements.some((each) => each.statementHash === statementHash))
        statements.push({ statementHash, until: Number(until) });
    }
    known.set(tenantId, { askedAt, statements });
    return statements;
  };

  return Object.freeze({
    of(tenantId) {
      const found = known.get(tenantId);
      return found !== undefined && performance.now() - found.askedAt < REFUSED_FRESH_MS
        ? found.statements
        : ask(tenantId);
    },
    async add(tenantId, statementHash) {
      const until = Date.now() + REFUSED_MS;
      const others = ownOf(tenantId).filter((each) => each.statementHash !== statementHash);
      own.set(tenantId, [...others, { statementHash, until }].slice(-REFUSED_PER_TENANT_MAX));
      known.delete(tenantId);
      await shared((client) =>
        client
          .multi()
          .zadd(keyOf(tenantId), until, statementHash)
          .zremrangebyrank(keyOf(tenantId), 0, -REFUSED_PER_TENANT_MAX - 1)
          .pexpire(keyOf(tenantId), REFUSED_MS)
          .exec(),
      );
    },
  } satisfies RefusedStatements);
}
