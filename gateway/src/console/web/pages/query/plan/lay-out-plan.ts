/** Where the nodes of a plan stand: inputs below what takes them, each level as high as its highest node. */
import { hierarchy, tree } from 'd3-hierarchy';
import type { PlanNode } from './parse-plan.ts';

export const READ_PX = { width: 196, height: 76 };
export const STEP_PX = { width: 196, height: 26 };
const GAP_PX = { x: 16, y: 20 };
/** Between a step and the only one that it takes from: a chain of them is read as one. */
const CHAIN_GAP_PX = 6;

export interface PlacedNode {
  readonly node: PlanNode;
  /** Of its upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly parent: PlacedNode | null;
}

export interface PlacedPlan {
  /** From above, parents before their inputs. */
  readonly nodes: readonly PlacedNode[];
  readonly width: number;
  readonly height: number;
}

export function placePlan(root: PlanNode): PlacedPlan {
  const laidOut = tree<PlanNode>().nodeSize([READ_PX.width + GAP_PX.x, 1])(
    hierarchy(root, ({ inputs }) => [...inputs]),
  );
  const levels: number[] = [];
  const gaps: number[] = [];
  laidOut.each(({ depth, data }) => {
    const { height } = data.read === null ? STEP_PX : READ_PX;
    levels[depth] = Math.max(levels[depth] ?? 0, height);
    const isChain = data.inputs.length === 1 && data.inputs[0]?.read === null;
    gaps[depth] = Math.max(gaps[depth] ?? 0, isChain ? CHAIN_GAP_PX : GAP_PX.y);
  });
  const tops = levels.map((_, depth) =>
    levels.slice(0, depth).reduce((sum, height, above) => sum + height + (gaps[above] ?? 0), 0),
  );
  let left = 0;
  laidOut.each(({ x }) => (left = Math.min(left, x)));
  const placed = new Map<unknown, PlacedNode>();
  let width = 0;
  laidOut.eachBefore((at) => {
    const size = at.data.read === null ? STEP_PX : READ_PX;
    const x = at.x - left + (READ_PX.width - size.width) / 2;
    width = Math.max(width, x + size.width);
    const parent = placed.get(at.parent) ?? null;
    placed.set(at, { node: at.data, x, y: tops[at.depth] ?? 0, ...size, parent });
  });
  const height = tops.reduce((_, top, depth) => top + (levels[depth] ?? 0), 0);
  return { nodes: [...placed.values()], width, height };
}
