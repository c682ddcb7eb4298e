/** The plan of what is in the editor; once that has run, with what was really read. */
import { EmptyState } from '../../../components/empty-state.tsx';
import { Lazy } from '../../../components/lazy.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { Suggestion } from '../editor/suggestion.tsx';
import { isPlanning, planState } from '../estimate/plan-ahead.ts';
import type { Planned } from '../estimate/planned.ts';
import type { ReadReport } from '../result/result-lines.ts';
import { current } from '../run/current.ts';

const loadTree = () => import('./plan-tree.tsx').then(({ PlanTree }) => PlanTree);
const NONE: readonly ReadReport[] = Object.freeze([]);

/** Of the run that is shown, where it is of this statement. Its warnings know more: they come after the reads. */
function ran(plan: Planned): {
  readonly reports: readonly ReadReport[];
  readonly warnings: readonly string[];
} {
  const run = current.value?.run;
  const state = run?.sql === plan.sql ? run.state.value : undefined;
  if (state?.kind !== 'ended') return { reports: NONE, warnings: plan.warnings };
  return { reports: state.end.reads ?? NONE, warnings: state.end.warnings ?? NONE_SAID };
}
const NONE_SAID: readonly string[] = Object.freeze([]);

export function PlanPanel() {
  const state = planState.value;
  switch (state.kind) {
    case 'empty':
      return (
        <EmptyState title="The plan">
          <p>
            How a query will be read stands here while you write it: each table, by which key, for how many
            units.
          </p>
        </EmptyState>
      );
    case 'wrong':
      return (
        <div class="plan-wrong">
          <ProblemNotice problem={state.problem} />
          <Suggestion />
        </div>
      );
    case 'planned': {
      const { plan } = state;
      if (plan.tree === null) return <pre class="plan-text">{plan.text}</pre>;
      const props = { root: plan.tree, ...ran(plan) };
      return (
        <div class={isPlanning.value ? 'plan-current outdated' : 'plan-current'}>
          <Lazy load={loadTree} what="the plan" props={props} />
        </div>
      );
    }
  }
}
