import { REQUEST_LOG_ENTRIES_MAX } from './limits.ts';

/**
 * One DynamoDB request, as `GET /_requests` lists it. BatchGetItem, BatchWriteItem and transactions have one
 * entry for every table they name, each with that table's units.
 */
export interface RequestLogEntry {
  readonly operation: string;
  readonly tableName: string | null;
  readonly indexName: string | null;
  /** The key condition with its placeholders filled in; null where there is none. */
  readonly keyCondition: string | null;
  readonly segment: number | null;
  /** Capacity units, whether or not the caller asked for them; 0 for a refused request. */
  readonly consumedUnits: number;
  readonly totalSegments: number | null;
  /** The filter with its placeholders filled in. */
  readonly filter: string | null;
  readonly projection: string | null;
  readonly limit: number | null;
  /** How many keys a GetItem (1) or BatchGetItem names; null for other operations. */
  readonly keys: number | null;
  readonly consistentRead: boolean;
  /** Error code of a request that was refused, by AWS's rules or by a fault. */
  readonly error: string | null;
  /** ISO 8601 UTC, when the answer was ready. */
  readonly at: string;
}

/** As it is listed. */
export interface ListedRequest extends RequestLogEntry {
  /** False where the caller is known to have gone without the whole answer: what it consumed, it cannot know. */
  readonly wasAnswered: boolean;
}

interface Kept {
  readonly entry: RequestLogEntry;
  readonly unanswered: AbortSignal;
}

/** Logs of all accounts; the newest entries of each are kept. */
export function createRequestLog() {
  const accounts = new Map<string, Kept[]>();

  /** `unanswered`: fires, now or later, if the caller goes without the whole answer. */
  function record(accountId: string, entries: readonly RequestLogEntry[], unanswered: AbortSignal): void {
    const log = accounts.get(accountId) ?? [];
    log.push(...entries.map((entry) => ({ entry, unanswered })));
    // Trimmed in large steps, so that a full log does not move on every request.
    if (log.length > REQUEST_LOG_ENTRIES_MAX * 1.1) log.splice(0, log.length - REQUEST_LOG_ENTRIES_MAX);
    accounts.set(accountId, log);
  }

  return {
    record,
    list: (accountId: string): readonly ListedRequest[] =>
      (accounts.get(accountId) ?? [])
        .slice(-REQUEST_LOG_ENTRIES_MAX)
        .map(({ entry, unanswered }) => ({ ...entry, wasAnswered: !unanswered.aborted })),
    clear: (accountId: string): void => void accounts.delete(accountId),
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
