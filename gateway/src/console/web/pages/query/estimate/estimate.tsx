/** What the statement will cost, beside the button that runs it. */
import { Icon } from '../../../components/icon.tsx';
import { units } from '../../../components/figures.ts';
import { isPlanning, planState, unitsWarned } from './plan-ahead.ts';

function inWords({ low, high }: { readonly low: number; readonly high: number }): string {
  if (high === 0) return 'Reads nothing: 0 units';
  if (low === high) return `${units(low)} ${low === 1 ? 'unit' : 'units'}`;
  return `About ${units(low)}–${units(high)} units`;
}

function Said() {
  const state = planState.value;
  const limit = unitsWarned.value;
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
      const { units: range } = state.plan;
      if (range === null) return <span class="muted">No estimate</span>;
      const isDear = limit !== null && range.high > limit;
      return (
        <span class={isDear ? 'estimate-dear' : 'estimate-fine'}>
          {isDear ? <Icon name="warning" /> : null}
          <span class="figures">
            {inWords(range)}
            {isDear ? ` over your ${units(limit)}` : ''}
          </span>
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
