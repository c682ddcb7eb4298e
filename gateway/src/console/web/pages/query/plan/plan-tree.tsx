/** The plan as a tree: the dear read is the one with the full bar. Arrow keys go from node to node. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted, units } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { reveal } from '../../../components/reveal.ts';
import type { ReadReport } from '../result/result-lines.ts';
import { costsOf, dearest, type NodeCost } from './costs.ts';
import { scaleOf } from './fit.ts';
import { placePlan, type PlacedNode } from './lay-out-plan.ts';
import { NodeDetails } from './node-details.tsx';
import type { PlanNode } from './parse-plan.ts';

export interface PlanTreeProps {
  readonly root: PlanNode;
  readonly warnings: readonly string[];
  /** What was really read; empty where it has not run. */
  readonly reports: readonly ReadReport[];
}

const LINK_PX_MAX = 9;
const DEAR_SHARE = 0.5;
/** Less than that is not dear, whatever share of the plan it is. */
const DEAR_UNITS = 5;

const isDear = ({ share, units: cost }: NodeCost): boolean => share >= DEAR_SHARE && cost >= DEAR_UNITS;

function link({ parent, x, y, width }: PlacedNode): string {
  if (parent === null) return '';
  const [fromX, fromY] = [parent.x + parent.width / 2, parent.y + parent.height];
  const [toX, middle] = [x + width / 2, (fromY + y) / 2];
  return `M${fromX} ${fromY}C${fromX} ${middle} ${toX} ${middle} ${toX} ${y}`;
}

function ReadFace({ node, cost }: { readonly node: PlanNode; readonly cost: NodeCost }) {
  const { read } = node;
  if (read === null) return null;
  const { estimate } = read;
  return (
    <>
      <span class="plan-operation">
        {node.operation}
        {cost.advice.length > 0 ? <Icon name="warning" /> : null}
      </span>
      <span class="plan-relation">
        <Foreign text={read.table} />
        {read.index === null ? null : (
          <span class="muted">
            {' '}
            <Foreign text={read.index} />
          </span>
        )}
      </span>
      <span class="plan-units figures">
        {estimate === null ? '' : `${units(estimate.units)} units`}
        {cost.actual === null ? null : <strong>{units(cost.actual.readUnits)} read</strong>}
      </span>
      <span class="plan-bar">
        <span style={{ width: `${Math.round(cost.share * 100)}%` }} />
      </span>
    </>
  );
}

/** Among nodes as they are placed: the one that a key leads to. */
function next(nodes: readonly PlacedNode[], from: PlacedNode, key: string): PlacedNode | undefined {
  const siblings = nodes.filter(({ parent }) => parent === from.parent);
  const at = siblings.indexOf(from);
  switch (key) {
    case 'ArrowUp':
      return from.parent ?? undefined;
    case 'ArrowDown':
      return nodes.find(({ parent }) => parent === from);
    case 'ArrowLeft':
      return siblings[at - 1];
    case 'ArrowRight':
      return siblings[at + 1];
    case 'Home':
      return nodes[0];
    default:
      return undefined;
  }
}

export function PlanTree({ root, warnings, reports }: PlanTreeProps) {
  const plan = useMemo(() => placePlan(root), [root]);
  const { costs, others } = useMemo(() => costsOf(root, warnings, reports), [root, warnings, reports]);
  const [chosen, setChosen] = useState<PlanNode | null>(null);
  const buttons = useRef(new Map<PlanNode, HTMLElement>());
  useEffect(() => setChosen(null), [root]);
  const shown = chosen ?? dearest(root, costs) ?? root;
  const place = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  // What is said of the node below takes room of the tree, more of it once the query has run.
  useEffect(() => {
    const { current: scrolled } = place;
    if (scrolled === null) return;
    const fit = (): void => {
      space.current?.style.setProperty('zoom', String(scaleOf(plan.width, scrolled)));
      const button = buttons.current.get(shown);
      if (button !== undefined) reveal(button, scrolled);
    };
    const resized = new ResizeObserver(fit);
    resized.observe(scrolled);
    return () => resized.disconnect();
  }, [shown, plan]);
  const costOf = (node: PlanNode): NodeCost =>
    costs.get(node) ?? { units: 0, share: 0, actual: null, advice: [] };
  const onKeyDown = (event: KeyboardEvent, from: PlacedNode): void => {
    const to = next(plan.nodes, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    setChosen(to.node);
    buttons.current.get(to.node)?.focus();
  };
  return (
    <div class="plan">
      <div class="plan-scroll" ref={place}>
        <div
          ref={space}
          class="plan-space"
          role="group"
          aria-label="Steps of the plan"
          style={{ width: `${plan.width}px`, height: `${plan.height}px` }}
        >
          <svg class="plan-links" width={plan.width} height={plan.height} aria-hidden="true">
            {plan.nodes.map((placed, i) => (
              <path
                key={i}
                d={link(placed)}
                class={isDear(costOf(placed.node)) ? 'dear' : ''}
                stroke-width={1 + (LINK_PX_MAX - 1) * Math.sqrt(costOf(placed.node).share)}
              />
            ))}
          </svg>
          {plan.nodes.map((placed, i) => {
            const { node, x, y, width, height } = placed;
            const cost = costOf(node);
            const names = ['plan-node', node.read === null ? 'step' : isDear(cost) ? 'read dear' : 'read'];
            return (
              <button
                key={i}
                type="button"
                class={names.join(' ')}
                aria-pressed={node === shown}
                tabIndex={node === shown ? 0 : -1}
                ref={(element) =>
                  void (element === null ? buttons.current.delete(node) : buttons.current.set(node, element))
                }
                style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
                onClick={() => setChosen(node)}
                onKeyDown={(event) => onKeyDown(event, placed)}
              >
                {node.read === null ? (
                  <span class="plan-step" title={`${node.operation} ${node.rest}`}>
                    <strong>{node.operation}</strong> <Foreign text={node.rest} />
                  </span>
                ) : (
                  <ReadFace node={node} cost={cost} />
                )}
              </button>
            );
          })}
        </div>
      </div>
      <NodeDetails node={shown} cost={costOf(shown)} />
      {others.length === 0 ? null : (
        <ul class="plan-others" aria-label={counted(others.length, 'hint')}>
          {others.map((text) => (
            <li key={text}>
              <Foreign text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
