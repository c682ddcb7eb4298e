/** The run that the page shows, that of its tab, and what belongs to it. It stays while one looks at other tabs and pages. */
import { batch, computed } from '@preact/signals';
import { planState, unitsWarned } from '../estimate/plan-ahead.ts';
import { remember } from '../history/history.ts';
import { ofShown, shownTab } from '../tabs/open-tabs.ts';
import { isUnderWay, startRun, type Run } from './run.ts';

export const current = ofShown((tab) => tab.current);

export const isRunning = computed(() => current.value !== null && isUnderWay(current.value.run.state.value));

/** Runs a statement in place of the one before, which is stopped if it is still under way. */
export function begin(sql: string, offset: number): void {
  if (sql.trim() === '') return;
  current.peek()?.run.stop();
  const plan = planState.peek();
  batch(() => {
    current.value = {
      run: startRun(sql, { maxReadUnits: unitsWarned.peek(), onEnd: remember }),
      planned: plan.kind === 'planned' && plan.plan.sql === sql ? plan.plan : null,
      offset,
    };
    shownTab.peek().isLetGo.value = false;
  });
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
