/** One check of a tenant's tables for all queries that begin while it is under way. */
import { abortable } from '@penstock/common/aws/abortable.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { CATALOG_WAIT_MS_MAX } from '../limits.ts';
import { areChecked, type Resolution } from './catalog-client.ts';
import { isAway, type TableSource } from './checked-tables.ts';

interface Check<T> {
  readonly startedAt: number;
  readonly answers: Promise<readonly Resolution<T>[]>;
}

/**
 * Asks whether tables are still as they were once for all queries of a tenant that want to know it of the same tables. A
 * hundred that had waited for a place begin together, and a hundred calls took the registry longer than a check may.
 * A table that the registry has to look at is asked for by each query, since that may take long and ends with its query.
 *
 * @param freshMs how long tables are used without being checked. A check is joined no later than that, and only while
 * the registry may be expected to answer it: who joins one that is about to fail would have waited too short.
 */
export function sharedChecks<T>(
  source: TableSource<T>,
  freshMs: number,
  clock: Clock = systemClock,
): TableSource<T> {
  const checks = new Map<string, Check<T>>();
  const joinedMs = Math.min(freshMs, CATALOG_WAIT_MS_MAX);

  const begin = (key: string, ask: () => Promise<readonly Resolution<T>[]>): Check<T> => {
    const answers = ask().finally(() => {
      if (checks.get(key) === check) checks.delete(key);
    });
    const check: Check<T> = { startedAt: clock.now(), answers };
    checks.set(key, check);
    return check;
  };

  return Object.freeze({
    async resolve(call, references, maySample) {
      if (!areChecked(references)) return source.resolve(call, references, maySample);
      // The query that began it may end: others wait for its check, which ends by its own time.
      const ask = () =>
        source.resolve({ ...call, signal: new AbortController().signal }, references, maySample);
      const key = JSON.stringify([call.tenantId, maySample, references]);
      const running = checks.get(key);
      const joined = running !== undefined && clock.now() - running.startedAt <= joinedMs ? running : null;
      const { startedAt, answers } = joined ?? begin(key, ask);
      try {
        const told = await abortable(answers, call.signal);
        return told.map((one) => (one.kind === 'error' ? one : { checkedAt: startedAt, ...one }));
      } catch (error) {
        // The refusal was meant for the query that asked.
        if (joined === null || call.signal.aborted || isAway(error) || !(error instanceof PenstockError))
          throw error;
        return source.resolve(call, references, maySample);
      }
    },
  } satisfies TableSource<T>);
}
