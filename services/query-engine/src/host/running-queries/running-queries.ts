/** The queries that this engine executes, by the request that each came by: to be looked at, stopped, and read on. */
import { abortable } from '@penstock/common/aws/abortable.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { UnitCount } from '../queries/unit-count.ts';

/** How far queries are. */
export interface QueryProgress {
  /** They wait for their turn, all of them, and have read nothing. */
  readonly isQueued: boolean;
  /** That have left the engine. */
  readonly rows: number;
  readonly halfUnits: number;
  /** Since the engine took the first of them. */
  readonly elapsedMs: number;
}

/** Which ones: request IDs are their callers' own, two tenants may use the same, and a tenant may use one twice. */
export interface RequestOfTenant {
  readonly tenantId: string;
  readonly requestId: string;
}

export interface RunningQuery {
  returned(rows: number): void;
  /** Resolves while fewer rows have left than are wanted. Rejects with the signal's reason. */
  wanted(signal: AbortSignal): Promise<void>;
  end(): void;
}

export interface RunningQueries {
  /** `stop` ends the query with the error that it is handed. `rowsWanted`: at first. */
  begin(
    request: RequestOfTenant,
    units: Pick<UnitCount, 'halfUnitsSoFar' | 'hasBegun'>,
    stop: (error: PenstockError) => void,
    rowsWanted?: number,
  ): RunningQuery;
  /** Null: there are none. */
  look(request: RequestOfTenant): QueryProgress | null;
  /** Stops them; how far they were. */
  stop(request: RequestOfTenant): QueryProgress | null;
  /** Has them go on until so many rows have left; how far they were. */
  want(request: RequestOfTenant, rows: number): QueryProgress | null;
}

/** Several are one: sums, and the longest time. */
export function together(found: readonly QueryProgress[]): QueryProgress | null {
  if (found.length === 0) return null;
  return {
    isQueued: found.every(({ isQueued }) => isQueued),
    rows: found.reduce((sum, { rows }) => sum + rows, 0),
    halfUnits: found.reduce((sum, { halfUnits }) => sum + halfUnits, 0),
    elapsedMs: Math.max(...found.map(({ elapsedMs }) => elapsedMs)),
  };
}

interface Entry {
  readonly progress: () => QueryProgress;
  readonly stop: () => void;
  readonly want: (rows: number) => void;
}

const stoppedError = (requestId: string): PenstockError =>
  new PenstockError('CANCELLED', 'The query was stopped', {
    detail: `Its tenant asked for it: DELETE /v1/queries/${requestId}`,
  });

export function createRunningQueries(): RunningQueries {
  const running = new Map<string, Set<Entry>>();
  // No ID has a line break.
  const keyOf = ({ tenantId, requestId }: RequestOfTenant): string => `${tenantId}\n${requestId}`;
  const entriesOf = (request: RequestOfTenant): readonly Entry[] => [...(running.get(keyOf(request)) ?? [])];
  const progressOf = (entries: readonly Entry[]): QueryProgress | null =>
    together(entries.map(({ progress }) => progress()));

  return Object.freeze({
    begin(request, units, stop, rowsWanted = Infinity) {
      const startedMs = performance.now();
      let rows = 0;
      let wanted = rowsWanted;
      let goOn = (): void => undefined;
      const entry: Entry = {
        progress: () => ({
          isQueued: !units.hasBegun,
          rows,
          halfUnits: units.halfUnitsSoFar(),
          elapsedMs: Math.round(performance.now() - startedMs),
        }),
        stop: () => stop(stoppedError(request.requestId)),
        want(more) {
          wanted = Math.max(wanted, more);
          if (rows < wanted) goOn();
        },
      };
      const key = keyOf(request);
      const entries = running.get(key) ?? new Set<Entry>();
      running.set(key, entries.add(entry));
      return {
        returned: (more) => void (rows += more),
        async wanted(signal) {
          if (rows < wanted) return;
          const waiting = Promise.withResolvers<void>();
          goOn = waiting.resolve;
          await abortable(waiting.promise, signal);
        },
        end() {
          entries.delete(entry);
          if (entries.size === 0 && running.get(key) === entries) running.delete(key);
        },
      };
    },
    look: (request) => progressOf(entriesOf(request)),
    stop(request) {
      const entries = entriesOf(request);
      const progress = progressOf(entries);
      for (const { stop } of entries) stop();
      return progress;
    },
    want(request, rows) {
      const entries = entriesOf(request);
      for (const { want } of entries) want(rows);
      return progressOf(entries);
    },
  } satisfies RunningQueries);
}
