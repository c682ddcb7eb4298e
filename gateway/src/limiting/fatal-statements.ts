/** Statements that end the engines that work on them. For a while no engine gets them again. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import {
  FATAL_STATEMENT_DEATHS,
  FATAL_STATEMENT_REFUSED_S,
  FATAL_STATEMENT_REMEMBERED_S,
  INNOCENT_TENANT_FRESH_MS,
  INNOCENT_TENANTS_KEPT,
  LIMITER_REST_MS,
  LIMITER_WAIT_MS,
} from '../limits.ts';

/** Counts ended engines by tenant and statement. Statements that differ only in the values of parameters are one. */
export interface FatalStatements {
  /** @throws PenstockError RESOURCE_EXHAUSTED while the statement is refused */
  check(tenantId: string, sql: string): Promise<void>;
  /**
   * Counts an engine that is gone or silent and was working on the statement. `certain`: it worked on it for so long
   * that the statement is the likely cause.
   */
  add(tenantId: string, sql: string, certain: boolean): Promise<void>;
}

const options = {
  keyPrefix: 'penstock:fatal',
  points: FATAL_STATEMENT_DEATHS - 1,
  duration: FATAL_STATEMENT_REMEMBERED_S,
  blockDuration: FATAL_STATEMENT_REFUSED_S,
};

/** One count a tenant, so that those who have no such statement are asked about once in a while, not for each. */
const TENANT_OPTIONS = { keyPrefix: 'penstock:fatal-tenant', points: 1, duration: 0 };
const TENANT_REMEMBERED_S = Math.max(FATAL_STATEMENT_REMEMBERED_S, FATAL_STATEMENT_REFUSED_S);

const keyOf = (tenantId: string, sql: string): string =>
  createHash('sha256').update(tenantId).update('\0').update(sql).digest('base64url');

/**
 * Counts on Redis, for all gateways, and in this process's memory while Redis is away. Without a Redis, in memory
 * alone.
 */
export function createFatalStatements(redis: Redis | null, logger: Logger): FatalStatements {
  const own = new RateLimiterMemory(options);
  const shared =
    redis === null
      ? null
      : {
          statements: new RateLimiterRedis({ ...options, storeClient: redis }),
          tenants: new RateLimiterRedis({ ...TENANT_OPTIONS, storeClient: redis }),
        };
  /** When it was asked last, by tenant; of those who had no such statement. */
  const innocentAt = boundedCache<number>(INNOCENT_TENANTS_KEPT);
  let restUntil = 0;
  /** Null where Redis fails or is slow; it is then left alone for a moment. */
  const askShared = async <T>(ask: (limits: NonNullable<typeof shared>) => Promise<T>): Promise<T | null> => {
    if (shared === null || performance.now() < restUntil) return null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), LIMITER_WAIT_MS)));
    const answer = ask(shared).then(
      (value) => ({ value }),
      () => null,
    );
    const inTime = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
    if (inTime === null) restUntil = performance.now() + LIMITER_REST_MS;
    return inTime?.value ?? null;
  };
  const refuseIf = (state: RateLimiterRes | null): void => {
    if (state === null || state.consumedPoints < FATAL_STATEMENT_DEATHS) return;
    const msLeft = state.msBeforeNext;
    const minutes = Math.max(1, Math.ceil(msLeft / 60_000));
    throw new PenstockError(
      'RESOURCE_EXHAUSTED',
      `This statement is refused for ${minutes} more minute${minutes === 1 ? '' : 's'}: query engines ended while they worked on it`,
      {
        detail: 'Write it in another way: shorter, with fewer terms, or as several statements',
        retryAfterS: msLeft / 1000,
      },
    );
  };
  const consume = async (limiter: RateLimiterAbstract, key: string, points: number): Promise<void> => {
    await limiter.consume(key, points).catch((error: unknown) => {
      // Beyond the limit, `consume` rejects with the count.
      if (!(error instanceof RateLimiterRes))
        logger.warn({ err: error }, 'an ended engine could not be counted');
    });
  };

  const isInnocent = async (tenantId: string): Promise<boolean> => {
    const now = performance.now();
    if (now - (innocentAt.get(tenantId) ?? -Infinity) < INNOCENT_TENANT_FRESH_MS) return true;
    const found = await askShared(async ({ tenants }) => (await tenants.get(tenantId)) !== null);
    if (found === false) innocentAt.set(tenantId, now);
    return found === false;
  };

  return Object.freeze({
    async check(tenantId, sql) {
      const key = keyOf(tenantId, sql);
      refuseIf(await own.get(key));
      if (!(await isInnocent(tenantId))) refuseIf(await askShared(({ statements }) => statements.get(key)));
    },
    async add(tenantId, sql, certain) {
      const key = keyOf(tenantId, sql);
      const points = certain ? FATAL_STATEMENT_DEATHS : 1;
      innocentAt.delete(tenantId);
      await consume(own, key, points);
      await askShared(({ statements, tenants }) =>
        Promise.all([
          consume(statements, key, points),
          tenants.set(tenantId, 1, TENANT_REMEMBERED_S).catch(() => undefined),
        ]),
      );
      logger.error(
        { tenantId, statementHash: key, certain },
        'an engine ended, or is silent, while it worked on a statement',
      );
    },
  } satisfies FatalStatements);
}
