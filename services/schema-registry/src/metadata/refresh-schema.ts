import { setTimeout as pause } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { REFRESH_RENEW_MS, REFRESH_SKIP_MS, REFRESH_WAIT_STEP_MS } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { accessFingerprint } from '../schemas/table-allowlist.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import type { ReadTable } from './read-table.ts';
import type { RefreshStateStore } from '../store/refresh-state-store.ts';
import type { EndedRefresh, RefreshResult } from './refresh-state.ts';
import { summarize, summarizeBusy, summarizeFailure, summarizeSkipped } from './refresh-summary.ts';
import { refreshTables } from './refresh-tables.ts';
import type { OpenTenantTables } from '../dynamodb/tenant-tables.ts';

/** A refresh, and whether it is to be tried again. */
interface RefreshRun {
  readonly result: RefreshResult;
  /** Why no table could be reached at all; null where the tables were got to, or another refresh did it. */
  readonly failure: PenstockError | null;
  /** False where time ran out before every table was reached. */
  readonly finished: boolean;
}

/** Refreshes a schema's metadata; one refresh of a schema runs at a time, whatever the replica. */
export type RefreshSchema = (
  record: SchemaRecord,
  options: { requestId: string; timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<RefreshRun>;

/** Builds it. What goes wrong at the tenant's side is in the result; it throws only for our own faults. */
export function createRefreshSchema(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  states: RefreshStateStore;
  openTables: OpenTenantTables;
  readTable: ReadTable;
  clock: Clock;
  newId: () => string;
}): RefreshSchema {
  const { states, clock } = parts;

  return async (record, { requestId, timeoutMs, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const bounded = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const holder = parts.newId();
    const recent = await acquireOrSkip(record, holder, bounded);
    if (recent !== null) return recent;
    return underLease(record, holder, bounded, (running) => run(record, requestId, running));
  };

  /** Null when the lease is ours and there is something to do. */
  async function acquireOrSkip(
    record: SchemaRecord,
    holder: string,
    signal: AbortSignal,
  ): Promise<RefreshRun | null> {
    for (;;) {
      const before = await recentRefresh(record);
      if (before !== null) return skip(before);
      if (await states.acquire(record, holder)) break;
      if (signal.aborted) return { result: summarizeBusy(clock.now()), failure: null, finished: false };
      await pause(REFRESH_WAIT_STEP_MS);
    }
    // Another may have ended between the look and the lease.
    const meanwhile = await recentRefresh(record);
    if (meanwhile === null) return null;
    await states.release(record, holder, null);
    return skip(meanwhile);
  }

  async function recentRefresh(record: SchemaRecord): Promise<EndedRefresh | null> {
    const { ended } = await states.read(record);
    const recent =
      ended !== null &&
      clock.now() - ended.endedAtMs < REFRESH_SKIP_MS &&
      ended.accessFingerprint === accessFingerprint(record);
    return recent ? ended : null;
  }

  function skip(ended: EndedRefresh): RefreshRun {
    return { result: summarizeSkipped(ended, clock.now()), failure: null, finished: true };
  }

  async function underLease(
    record: SchemaRecord,
    holder: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<RefreshRun>,
  ): Promise<RefreshRun> {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      states.renew(record, holder).then(
        (held) => !held && lost.abort(),
        () => lost.abort(),
      );
    }, REFRESH_RENEW_MS);
    let ended: EndedRefresh | null = null;
    try {
      const done = await work(AbortSignal.any([signal, lost.signal]));
      if (done.failure === null && done.finished) {
        ended = { endedAtMs: clock.now(), accessFingerprint: accessFingerprint(record), result: done.result };
      }
      return done;
    } finally {
      clearInterval(renewal);
      await states.release(record, holder, ended);
      await cleanUpIfOver(record);
    }
  }

  /** A schema that was deleted, or moved to another account, while this ran: nothing may stay behind. */
  async function cleanUpIfOver(record: SchemaRecord): Promise<void> {
    const current = await parts.schemas.get(record.tenantId, record.schemaName);
    if (current?.incarnation !== record.incarnation) await parts.metadata.removeAll(record);
  }

  async function run(record: SchemaRecord, requestId: string, signal: AbortSignal): Promise<RefreshRun> {
    const tables = parts.openTables(record, requestId);
    try {
      await tables.connect(signal);
      const outcomes = await refreshTables(parts, record, tables, signal);
      const finished = outcomes.every(({ kind }) => kind !== 'not-reached');
      return { result: summarize(outcomes, clock.now()), failure: null, finished };
    } catch (error) {
      if (!(error instanceof PenstockError)) throw error;
      return { result: summarizeFailure(error, clock.now()), failure: error, finished: false };
    }
  }
}
