/**
 * A CTE that is used several times, written out at each use, so that each reads what it asks for. Only where every copy
 * is sure to have the same rows: what picks rows by their place among others (LIMIT, DISTINCT ON, row_number) goes by all
 * the columns that are there, and these are pruned for each use alone.
 */
import { columnReference } from '../logical/build-expression.ts';
import { project, withCtes } from '../logical/build-plan.ts';
import { outputColumns } from '../logical/output.ts';
import type { Cte, CteScan, LogicalPlan } from '../logical/plan.ts';
import { transformPlan, walkDeep } from '../logical/visit.ts';
import { CTE_COPIES_MAX } from './limits.ts';
import { countCteUses, ctesInSteps } from '../logical/cte-uses.ts';
import { copyPlan, freshIds, type FreshIds } from './copy-plan.ts';
import { tieOrder } from '../logical/tie-order.ts';

function isRepeatable(plan: LogicalPlan): boolean {
  let repeatable = true;
  walkDeep(plan, {
    plan: (node) => {
      const byPlace =
        node.kind === 'Limit' ||
        (node.kind === 'Distinct' && node.on !== null) ||
        (node.kind === 'Window' &&
          node.functions.some(({ call, window }) => tieOrder(call, window) !== null));
      if (byPlace) repeatable = false;
    },
  });
  return repeatable;
}

/** Of those that may be written out at all. */
interface Uses {
  readonly ctes: ReadonlyMap<number, Cte>;
  /** How often each is named. */
  readonly named: ReadonlyMap<number, number>;
}

function usesIn(root: LogicalPlan): Uses {
  const ctes = new Map<number, Cte>();
  const inSteps = ctesInSteps(root);
  walkDeep(root, {
    plan: (node) => {
      if (node.kind === 'With') for (const cte of node.ctes) if (!inSteps.has(cte.id)) ctes.set(cte.id, cte);
    },
  });
  return { ctes, named: countCteUses(root) };
}

/** Uses of CTEs in the plan, and inside each of these, again and again: about what writing all out would come to. */
function copiesIn(plan: LogicalPlan, ctes: Uses['ctes'], known = new Map<number, number>()): number {
  let copies = 0;
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind !== 'CteScan') return;
      const cte = ctes.get(node.cteId);
      const inside = known.get(node.cteId) ?? (cte === undefined ? 0 : copiesIn(cte.plan, ctes, known));
      known.set(node.cteId, inside);
      copies += 1 + inside;
    },
  });
  return copies;
}

/** Whose uses may be written out; none where that would make too much of the statement. */
export function inlinableCtes(root: LogicalPlan): readonly number[] {
  const { ctes, named } = usesIn(root);
  const several = [...ctes.values()].filter(({ id }) => (named.get(id) ?? 0) > 1);
  if (several.length === 0 || copiesIn(root, ctes) > CTE_COPIES_MAX) return [];
  return several.filter(({ plan }) => isRepeatable(plan)).map(({ id }) => id);
}

function inPlaceOf(use: CteScan, plan: LogicalPlan): LogicalPlan {
  const sources = outputColumns(plan);
  return project(
    plan,
    use.columns.flatMap((column, i) => {
      const source = sources[i];
      return source === undefined ? [] : [Object.freeze({ column, expression: columnReference(source) })];
    }),
  );
}

/** The statement with these CTEs written out wherever they are used, and those that they alone use. */
export function inlineCtes(root: LogicalPlan, repeated: ReadonlySet<number>): LogicalPlan {
  const { ctes, named } = usesIn(root);
  const single = [...ctes.values()].filter(({ id, plan }) => named.get(id) === 1 && isRepeatable(plan));
  const ids = new Set([...repeated, ...single.map(({ id }) => id)]);
  const fresh: FreshIds = freshIds(root);
  const expand = (plan: LogicalPlan): LogicalPlan =>
    transformPlan(plan, (node) => {
      if (node.kind === 'With')
        return withCtes(Object.freeze(node.ctes.filter(({ id }) => !ids.has(id))), node.body);
      const cte = node.kind === 'CteScan' && ids.has(node.cteId) ? ctes.get(node.cteId) : undefined;
      return node.kind !== 'CteScan' || cte === undefined
        ? node
        : inPlaceOf(node, copyPlan(expand(cte.plan), fresh));
    });
  return expand(root);
}
