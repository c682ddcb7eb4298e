/** Plans the statement while one pauses in typing: what it will cost, and how it will be read. No item is read for it. */
import { effect, signal } from '@preact/signals';
import { keep, kept } from '../../../app/kept.ts';
import { ask } from '../../../net/request.ts';
import { ESTIMATE_PAUSE_MS } from '../limits.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import { ofShown } from '../tabs/open-tabs.ts';
import { text } from '../text.ts';
import type { Planned, PlanState } from './planned.ts';

/** As plan mode answers. */
interface PlanData {
  readonly plan: string;
  readonly weight: number;
  readonly estimatedReadUnits?: { readonly low: number; readonly high: number };
  readonly normalizedSql: string;
  readonly warnings?: readonly string[];
}

/** The plan of the tab's last statement that was planned; `isPlanning` says that it is not the one in the editor. */
export const planState = ofShown((tab) => tab.plan);
export const isPlanning = signal(false);

const LIMIT = 'query.unitsWarned';

/** Read units above which the estimate warns, and above which a run is stopped; null: none. */
export const unitsWarned = signal<number | null>(Number(kept(LIMIT)) || null);

export function setUnitsWarned(units: number | null): void {
  unitsWarned.value = units;
  keep(LIMIT, units === null ? null : String(units));
}

const planOf = (sql: string, data: PlanData): Planned => ({
  sql,
  tree: parsePlan(data.plan),
  text: data.plan,
  units: data.estimatedReadUnits ?? null,
  warnings: data.warnings ?? [],
});

async function plan(sql: string, signal: AbortSignal): Promise<void> {
  const outcome = await ask<PlanData>('/v1/query', {
    method: 'POST',
    body: { sql, mode: 'plan' },
    // What a run would answer: all rows.
    headers: { accept: 'application/x-ndjson' },
    signal,
    repeatable: true,
  });
  if (signal.aborted) return;
  isPlanning.value = false;
  if (outcome.ok) planState.value = { kind: 'planned', plan: planOf(sql, outcome.value) };
  else if (outcome.problem.kind === 'refused')
    planState.value = { kind: 'wrong', sql, problem: outcome.problem };
}

const sqlOf = (state: PlanState): string | null =>
  state.kind === 'planned' ? state.plan.sql : state.kind === 'wrong' ? state.sql : null;

/** Plans what is in the editor from now on. @returns what ends it */
export function planAhead(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller = new AbortController();
  const stop = effect(() => {
    const sql = text.value;
    clearTimeout(timer);
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    if (sql.trim() === '') {
      isPlanning.value = false;
      planState.value = { kind: 'empty' };
      return;
    }
    isPlanning.value = sqlOf(planState.peek()) !== sql;
    timer = setTimeout(() => void plan(sql, signal), ESTIMATE_PAUSE_MS);
  });
  return () => {
    clearTimeout(timer);
    controller.abort();
    stop();
  };
}
