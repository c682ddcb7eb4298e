/** Which queries may be why a worker was lost. */
import type { WorkSeen } from '../../pipe/work-record.ts';
import type { Loss, LossCause } from './loss.ts';

/** What a worker worked on when it was lost, of the queries that it had. */
export interface LostWork {
  readonly cause: LossCause;
  /** What its work record says. */
  readonly seen: WorkSeen;
  /** The query for which it was killed; null where it was for no one. */
  readonly culprit: number | null;
  /** Queries that read much, and so may hold much. */
  readonly long: ReadonlySet<number>;
}

/** The queries of a worker that may be why it was lost. */
export function suspectsOf(
  { cause, seen, culprit, long }: LostWork,
  queries: Iterable<number>,
): ReadonlySet<number> {
  const own = new Set(queries);
  const among = (found: Iterable<number>): ReadonlySet<number> =>
    new Set([...found].filter((query) => own.has(query)));
  if (culprit !== null) return among([culprit]);
  // DuckDB does not hold the thread.
  if (cause === 'stuck' || cause === 'moved') return among([seen.holder]);
  const working = among([seen.holder, ...seen.computing]);
  if (cause !== 'memory') return working;
  // What a short query can hold is little: it is there by chance, where a long one is.
  for (const likely of [among([...working].filter((query) => long.has(query))), working])
    if (likely.size > 0) return likely;
  return among(long);
}

/** What each query of a lost worker is told. */
export function lossOf(work: LostWork, suspects: ReadonlySet<number>, query: number): Loss {
  const isSuspect = suspects.has(query);
  return {
    cause: work.cause,
    isSuspect,
    isCertain: isSuspect && suspects.size === 1 && work.cause !== 'ended',
  };
}
