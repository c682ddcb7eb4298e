/** The run that the page shows, and what belongs to it. It stays while one looks at other pages of the console. */
import { computed, signal } from '@preact/signals';
import { planState, unitsWarned, type Planned } from '../estimate/plan-ahead.ts';
import { remember } from '../history/history.ts';
import { isUnderWay, startRun, type Run } from './run.ts';

export interface CurrentRun {
  readonly run: Run;
  /** What was planned for it, where it was planned before it ran. */
  readonly planned: Planned | null;
  /** Where the statement begins in the text: not at 0 where a selection ran. */
  readonly offset: number;
}

export const current = signal<CurrentRun | null>(null);

export const isRunning = computed(() => current.value !== null && isUnderWay(current.value.run.state.value));

/** Runs a statement in place of the one before, which is stopped if it is still under way. */
export function begin(sql: string, offset: number): void {
  if (sql.trim() === '') return;
  current.peek()?.run.stop();
  const plan = planState.peek();
  current.value = {
    run: startRun(sql, { maxReadUnits: unitsWarned.peek(), onEnd: remember }),
    planned: plan.kind === 'planned' && plan.plan.sql === sql ? plan.plan : null,
    offset,
  };
}

/** The same statement anew, whatever the editor holds by now. */
export function beginAgain({ sql }: Run): void {
  begin(sql, current.peek()?.offset ?? 0);
}

/** @returns whether there was one to stop */
export function stopRun(): boolean {
  if (!isRunning.peek()) return false;
  current.peek()?.run.stop();
  return true;
}
