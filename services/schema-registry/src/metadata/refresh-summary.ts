import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { REFRESH_FAILURES_NAMED_MAX, REFRESH_SKIP_MS } from '../limits.ts';
import { failedTables } from './failed-tables.ts';
import type { EndedRefresh, RefreshResult } from './refresh-state.ts';
import type { TableOutcome } from './refresh-tables.ts';

type Outcome<K extends TableOutcome['kind']> = Extract<TableOutcome, { kind: K }>;

/** The result of a refresh that got through to the tables. */
export function summarize(outcomes: readonly TableOutcome[], nowMs: number): RefreshResult {
  const refreshed = ofKind(outcomes, 'refreshed');
  const failed = ofKind(outcomes, 'failed');
  const deleted = ofKind(outcomes, 'deleted');
  const notReached = ofKind(outcomes, 'not-reached');
  const failures = failed.length + notReached.length;
  return Object.freeze({
    ok: failures === 0,
    message: [
      `${tableCount(refreshed.length)} refreshed, ${failures} failed, ${deleted.length} deleted`,
      ...(failed.length > 0 ? [failureList(failed)] : []),
      ...(notReached.length > 0
        ? [`${tableCount(notReached.length)} not reached in time, continued in the background`]
        : []),
    ].join('. '),
    refreshedAt: new Date(nowMs).toISOString(),
    tableCount: refreshed.length,
    failedTableCount: failures,
    deletedCount: deleted.length,
    skipped: false,
    readUnits: refreshed.reduce((sum, { readUnits }) => sum + readUnits, 0),
  });
}

/** The result of a refresh that never got to the tables. The error's message may be shown. */
export function summarizeFailure(error: PenstockError, nowMs: number): RefreshResult {
  return nothingDone(`No table was refreshed: ${error.message}`, nowMs);
}

/** The result of a refresh that waited for another until its own time was over. */
export function summarizeBusy(nowMs: number): RefreshResult {
  return nothingDone('Another refresh of this schema is still running; look again in a minute', nowMs);
}

/** The result where a refresh ended a moment ago: how that one went, and that nothing was done now. */
export function summarizeSkipped(ended: EndedRefresh, nowMs: number): RefreshResult {
  const agoS = Math.max(0, Math.floor((nowMs - ended.endedAtMs) / 1000));
  return Object.freeze({
    ...ended.result,
    message: `Skipped: a refresh ended ${agoS} s ago, less than ${REFRESH_SKIP_MS / 1000} s (${ended.result.message})`,
    skipped: true,
    readUnits: 0,
  });
}

function nothingDone(message: string, nowMs: number): RefreshResult {
  return Object.freeze({
    ok: false,
    message,
    refreshedAt: new Date(nowMs).toISOString(),
    tableCount: 0,
    failedTableCount: 0,
    deletedCount: 0,
    skipped: false,
    readUnits: 0,
  });
}

function failureList(failed: readonly Outcome<'failed'>[]): string {
  const write = (names: string, reason: string): string => `${names} (${reason})`;
  return `Failed: ${failedTables(failed, REFRESH_FAILURES_NAMED_MAX, write)}`;
}

function tableCount(count: number): string {
  return `${count} ${count === 1 ? 'table' : 'tables'}`;
}

function ofKind<K extends TableOutcome['kind']>(outcomes: readonly TableOutcome[], kind: K): Outcome<K>[] {
  return outcomes.filter((outcome): outcome is Outcome<K> => outcome.kind === kind);
}
