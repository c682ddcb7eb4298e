/**
 * Why whole results broke off, and what those that were to leave something out have said at their end. Their clients see that they did, and only NDJSON has a line that says why; so it is kept for some
 * minutes, to be asked for by the request's ID. Errors may show a value of a row: none outlives that.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { queryErrorOf, type QueryError } from '../http/error-envelopes.ts';
import { BROKEN_RESULT_KEPT_S } from '../limits.ts';

/** What a result said at its end. */
export interface EndedResult {
  readonly warnings: readonly string[];
}

export interface BrokenResults {
  /** Resolves when it can be found, or cannot be kept. */
  keep(tenantId: string, requestId: string, error: PenstockError): Promise<void>;
  /** The same of the warnings of a result that ended, for who sees no trailers. */
  keepWarnings(tenantId: string, requestId: string, warnings: readonly string[]): Promise<void>;
  /** Null where nothing is known. @throws PenstockError UNAVAILABLE */
  find(tenantId: string, requestId: string): Promise<QueryError | EndedResult | null>;
}

const keyOf = (tenantId: string, requestId: string): string =>
  `penstock:broken-results:{${tenantId}}:${requestId}`;

export function createBrokenResults(redis: Pick<Redis, 'set' | 'get'>, logger: Logger): BrokenResults {
  const keep = async (
    tenantId: string,
    requestId: string,
    known: QueryError | EndedResult,
  ): Promise<void> => {
    const kept = JSON.stringify(known);
    await redis.set(keyOf(tenantId, requestId), kept, 'EX', BROKEN_RESULT_KEPT_S).catch((lost: unknown) => {
      logger.warn({ err: lost }, 'how a whole result ended cannot be asked for');
    });
  };
  return {
    keep: (tenantId, requestId, error) => keep(tenantId, requestId, queryErrorOf(error)),
    keepWarnings: (tenantId, requestId, warnings) => keep(tenantId, requestId, { warnings }),
    async find(tenantId, requestId) {
      try {
        const found = await redis.get(keyOf(tenantId, requestId));
        return found === null ? null : (JSON.parse(found) as QueryError | EndedResult);
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
  keepWarnings: async () => undefined,
  find: async () => null,
});
