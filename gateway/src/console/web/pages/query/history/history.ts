/** What was run, kept in this browser and shared by its tabs. */
import { signal } from '@preact/signals';
import { keep, keptJson } from '../../../app/kept.ts';
import { HISTORY_CHARS_MAX, HISTORY_RUNS_MAX } from '../limits.ts';
import type { Run, RunState } from '../run/run.ts';

const NAME = 'query.history';

export interface PastRun {
  readonly sql: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly tookMs: number;
  readonly rows: number;
  /** Null where it was not said: the run was stopped, or failed. */
  readonly readUnits: number | null;
  readonly outcome: 'ended' | 'stopped' | 'failed';
  /** Of one that failed. */
  readonly problem?: string;
}

function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== 'object' || value === null) return false;
  const run = value as Partial<Record<keyof PastRun, unknown>>;
  return (
    typeof run.sql === 'string' &&
    typeof run.startedAt === 'number' &&
    typeof run.tookMs === 'number' &&
    typeof run.rows === 'number' &&
    (run.readUnits === null || typeof run.readUnits === 'number') &&
    (run.outcome === 'ended' || run.outcome === 'stopped' || run.outcome === 'failed')
  );
}

const areRuns = (value: unknown): value is readonly PastRun[] =>
  Array.isArray(value) && value.every(isPastRun);

const read = (): readonly PastRun[] => keptJson(NAME, areRuns) ?? [];

/** The latest first. */
export const pastRuns = signal(read());

/** As many of the latest as the limits allow. */
function bounded(runs: readonly PastRun[]): readonly PastRun[] {
  let chars = 0;
  return runs.slice(0, HISTORY_RUNS_MAX).filter(({ sql }) => (chars += sql.length) <= HISTORY_CHARS_MAX);
}

function keepRuns(runs: readonly PastRun[]): void {
  pastRuns.value = runs;
  keep(NAME, JSON.stringify(runs));
}

const OUTCOMES: Readonly<Record<RunState['kind'], PastRun['outcome']>> = Object.freeze({
  reading: 'stopped',
  paused: 'stopped',
  left: 'stopped',
  ended: 'ended',
  failed: 'failed',
});

/** Adds a run that has ended. What another tab added meanwhile stays. */
export function remember({ sql, startedAt, tookMs, rowCount, state, progress }: Run): void {
  const how = state.peek();
  const readUnits = how.kind === 'ended' ? how.end.readUnits : (progress.peek()?.readUnits ?? null);
  const past: PastRun = {
    sql,
    startedAt,
    tookMs: Math.round(tookMs.peek()),
    rows: rowCount.peek(),
    readUnits,
    outcome: OUTCOMES[how.kind],
    ...(how.kind === 'failed' ? { problem: how.problem.message } : {}),
  };
  keepRuns(bounded([past, ...read()]));
}

export function forgetRuns(): void {
  keepRuns([]);
}

addEventListener('storage', ({ key }) => {
  if (key?.endsWith(NAME) === true) pastRuns.value = read();
});
