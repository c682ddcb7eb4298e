/** What there is to say of one step of the plan. */
import { counted, units } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import type { NodeCost } from './costs.ts';
import type { Estimate, PlanNode } from './parse-plan.ts';

/** As the plan has them, in the words of the page; others are shown as they are. */
const NAMES: Readonly<Record<string, string>> = Object.freeze({
  key: 'Key',
  'keys from': 'Keys from',
  filter: 'Filter',
  why: 'Why',
  otherwise: 'Otherwise',
  projection: 'Attributes',
  order: 'Order',
  segments: 'Segments',
  'stops after': 'Stops after',
  then: 'Then',
  assuming: 'Assuming',
  units: 'Units',
  merged: 'Merged',
  select: 'Select',
  'first page': 'First page',
  arm: 'One part',
});

function expected({ rows, units: cost, low, high }: Estimate): string {
  const range = low === high ? '' : `, at least ${units(low)}, at most ${units(high)}`;
  return `${counted(rows, 'row')}, ${units(cost)} units${range}`;
}

export function NodeDetails({ node, cost }: { readonly node: PlanNode; readonly cost: NodeCost }) {
  const { read, details } = node;
  const estimate = read?.estimate ?? null;
  return (
    <div class="plan-details" aria-live="polite" tabIndex={0} role="group" aria-label="The chosen step">
      <h2>
        {node.operation} <Foreign text={node.rest} />
      </h2>
      {cost.advice.map((text) => (
        <p key={text} class="plan-advice">
          <Icon name="warning" />
          <span>
            <Foreign text={text} />
          </span>
        </p>
      ))}
      <dl>
        {estimate === null ? null : (
          <div>
            <dt>Expected</dt>
            <dd class="figures">{expected(estimate)}</dd>
          </div>
        )}
        {cost.actual === null ? null : (
          <div>
            <dt>Really read</dt>
            <dd class="figures">
              {counted(cost.actual.items, 'item')}, {units(cost.actual.readUnits)} units
            </dd>
          </div>
        )}
        {details
          .filter(({ name }) => name !== 'estimate')
          .map(({ name, text }, i) => (
            <div key={i}>
              <dt>{NAMES[name] ?? name}</dt>
              <dd>
                <Foreign text={text} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
