/**
 * Why whole results broke off. Their clients see that they did, and only NDJSON has a line that says why; so it is kept for some
 * minutes, to be asked for by the request's ID. Errors may show a value of a row: none outlives that.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { queryErrorOf, type QueryError } from '../http/error-envelopes.ts';
import { BROKEN_RESULT_KEPT_S } from '../limits.ts';

export interface BrokenResults {
  /** Resolves when it can be found, or cannot be kept. */
  keep(tenantId: string, requestId: string, error: PenstockError): Promise<void>;
  /** Null where nothing is known. @throws PenstockError UNAVAILABLE */
  find(tenantId: string, requestId: string): Promise<QueryError | null>;
}

const keyOf = (tenantId: string, requestId: string): string =>
  `penstock:broken-results:{${tenantId}}:${requestId}`;

export function createBrokenResults(redis: Pick<Redis, 'set' | 'get'>, logger: Logger): BrokenResults {
  return {
    async keep(tenantId, requestId, error) {
      const kept = JSON.stringify(queryErrorOf(error));
      await redis.set(keyOf(tenantId, requestId), kept, 'EX', BROKEN_RESULT_KEPT_S).catch((lost: unknown) => {
        logger.warn({ err: lost }, 'why a whole result broke off cannot be asked for');
      });
    },
    async find(tenantId, requestId) {
      try {
        const found = await redis.get(keyOf(tenantId, requestId));
        return found === null ? null : (JSON.parse(found) as QueryError);
      } catch (cause) {
        throw new PenstockError('UNAVAILABLE', 'It cannot be told what became of the query; try again', {
          cause,
        });
      }
    },
  };
}

/** Where replicas share nothing: what broke off is not known later. */
export const NO_BROKEN_RESULTS: BrokenResults = Object.freeze({
  keep: async () => undefined,
  find: async () => null,
});
