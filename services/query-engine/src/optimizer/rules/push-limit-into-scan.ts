/**
 * A LIMIT, and the page that is asked for, tell the read how many rows are needed.
 *
 * The first page is what counts, whichever is asked for: reads are chosen by it, so that all pages come in one order. It
 * counts only where rows go out as they come in: a plan that is computed as a whole is sorted before its page is cut, and
 * would see other rows for each page.
 */
import type { LogicalPlan } from '../../logical/plan.ts';
import { expressionsOf, transformPlan, withFields } from '../../logical/visit.ts';
import { containsSubquery } from '../column-use.ts';
import type { Rule } from '../rule.ts';

/** Tells the scan below that `rows` of this plan's rows are needed; the plan itself where that says nothing to a scan. */
function need(plan: LogicalPlan, rows: number): LogicalPlan {
  switch (plan.kind) {
    case 'TableScan':
      return withFields(plan, { limitHint: Math.min(rows, plan.limitHint ?? rows) });
    case 'Project':
      return withFields(plan, { input: need(plan.input, rows) });
    case 'Filter': {
      const { input, predicates } = plan;
      if (input.kind !== 'TableScan' || !predicates.every((p) => input.filter.includes(p))) return plan;
      return withFields(plan, { input: need(input, rows) });
    }
    case 'Limit': {
      const count = plan.count === null ? rows : Math.min(rows, plan.count);
      return withFields(plan, { input: need(plan.input, count + plan.offset) });
    }
    default:
      return plan;
  }
}

/** Rows come one for one from one read, in its order: Limits, then Projects and Filters, over a scan; no subquery. */
function isRowByRow(plan: LogicalPlan, belowFilter = false): boolean {
  switch (plan.kind) {
    case 'TableScan':
      return true;
    case 'Limit':
      return !belowFilter && isRowByRow(plan.input);
    case 'Project':
    case 'Filter':
      return (
        !expressionsOf(plan).some(containsSubquery) &&
        isRowByRow(plan.input, belowFilter || plan.kind === 'Filter')
      );
    default:
      return false;
  }
}

function pushLimit(node: LogicalPlan): LogicalPlan {
  return node.kind === 'Limit' && node.count !== null ? need(node, node.count) : node;
}

/** `rowsWanted`: rows of a page; null: all. */
export function pushLimitIntoScan(rowsWanted: number | null): Rule {
  return Object.freeze({
    name: 'push-limit-into-scan',
    apply: (plan: LogicalPlan) => {
      const limited = transformPlan(plan, pushLimit);
      return rowsWanted !== null && isRowByRow(limited) ? need(limited, rowsWanted) : limited;
    },
  });
}
