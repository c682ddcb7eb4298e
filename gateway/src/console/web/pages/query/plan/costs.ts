/** What the parts of a plan cost beside each other, and what was really read beside what was expected. */
import type { ReadReport } from '../result/result-lines.ts';
import { readsIn, type PlanNode } from './parse-plan.ts';

export interface NodeCost {
  /** Expected of it and of everything below it: read units. */
  readonly units: number;
  /** Of the whole plan, 0 to 1. */
  readonly share: number;
  /** What its read has really cost; null where it is none, or did not run. */
  readonly actual: ReadReport | null;
  /** What would make it cost less. */
  readonly advice: readonly string[];
}

const isOf = ({ read }: PlanNode, { table, alias }: ReadReport): boolean =>
  read !== null && read.table === table && read.alias === alias;

/**
 * By node. A report belongs to the first read of its table and alias that has none yet. A warning belongs to the first
 * read whose table it begins with; those of no read are given back beside.
 */
export function costsOf(
  root: PlanNode,
  warnings: readonly string[],
  reports: readonly ReadReport[],
): { readonly costs: ReadonlyMap<PlanNode, NodeCost>; readonly others: readonly string[] } {
  const reads = readsIn(root);
  const actual = new Map<PlanNode, ReadReport>();
  for (const report of reports) {
    const node = reads.find((each) => !actual.has(each) && isOf(each, report));
    if (node !== undefined) actual.set(node, report);
  }
  const advice = new Map<PlanNode, string[]>();
  const others: string[] = [];
  for (const warning of warnings) {
    const node = reads.find(({ read }) => warning.startsWith(`${read?.table}: `));
    if (node === undefined) others.push(warning);
    else advice.set(node, [...(advice.get(node) ?? []), warning.slice((node.read?.table.length ?? 0) + 2)]);
  }
  const units = new Map<PlanNode, number>();
  const sum = (node: PlanNode): number => {
    const own = node.read?.estimate?.units ?? 0;
    const all = node.inputs.reduce((total, input) => total + sum(input), own);
    units.set(node, all);
    return all;
  };
  const total = sum(root);
  const costs = new Map<PlanNode, NodeCost>();
  for (const [node, of] of units) {
    costs.set(node, {
      units: of,
      share: total === 0 ? 0 : of / total,
      actual: actual.get(node) ?? null,
      advice: advice.get(node) ?? [],
    });
  }
  return { costs, others };
}

/** The read that is expected to cost most; null where nothing is read. */
export function dearest(root: PlanNode, costs: ReadonlyMap<PlanNode, NodeCost>): PlanNode | null {
  return readsIn(root).reduce<PlanNode | null>(
    (most, node) =>
      most === null || (costs.get(node)?.units ?? 0) > (costs.get(most)?.units ?? 0) ? node : most,
    null,
  );
}
