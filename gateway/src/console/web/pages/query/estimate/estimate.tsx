/** What the statement will cost, beside the button that runs it. */
import { Icon } from '../../../components/icon.tsx';
import { isPlanning, planState, unitsWarned } from './plan-ahead.ts';
import { estimated, sayEstimate } from './say-estimate.ts';

function Said() {
  const state = planState.value;
  switch (state.kind) {
    case 'empty':
      return <span class="muted">What it will cost stands here</span>;
    case 'wrong':
      return (
        <span class="estimate-wrong">
          <Icon name="warning" /> See the marked place
        </span>
      );
    case 'planned': {
      const { units: range, tree } = state.plan;
      if (range === null) return <span class="muted">No estimate</span>;
      const { text, isDear } = sayEstimate(estimated(tree, range), unitsWarned.value);
      return (
        <span class={isDear ? 'estimate-dear' : 'estimate-fine'}>
          {isDear ? <Icon name="warning" /> : null}
          <span class="figures">{text}</span>
        </span>
      );
    }
  }
}

export function Estimate() {
  return (
    <div
      class={isPlanning.value ? 'estimate planning' : 'estimate'}
      role="status"
      aria-label="Estimated cost"
      aria-busy={isPlanning.value}
    >
      <Said />
    </div>
  );
}
