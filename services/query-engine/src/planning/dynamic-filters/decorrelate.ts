/** What a correlated EXISTS asks of the outer rows, when its inner side is read first. */
import { filter } from '../../logical/build-plan.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { withFields } from '../../logical/visit.ts';
import { producedColumns, usedColumns } from '../../optimizer/column-use.ts';
import { columnEqualities } from './equalities.ts';
import { isSource } from './source.ts';
import type { CandidatePair } from './filter-candidate.ts';

export interface Decorrelated {
  /** At least the rows that the subquery may see, whatever the outer row. */
  readonly plan: LogicalPlan;
  readonly pairs: readonly CandidatePair[];
}

/** The rows of an EXISTS; what only orders, shapes or repeats them is left out. Null: there may be rows without any. */
function rowsOf(plan: LogicalPlan): LogicalPlan | null {
  switch (plan.kind) {
    case 'Project':
    case 'Sort':
    case 'Distinct':
    case 'Limit':
      return rowsOf(plan.input);
    case 'Filter':
    case 'Join':
    case 'TableScan':
      return plan;
    default:
      return null;
  }
}

/** Takes conjuncts about outer columns out of filters and inner joins; they go to `outer`. */
function withoutOuter(
  plan: LogicalPlan,
  isOuter: (id: ColumnId) => boolean,
  outer: Expression[],
): LogicalPlan {
  const isInner = (conjunct: Expression): boolean => {
    const about = [...usedColumns(conjunct)].some(isOuter);
    if (about) outer.push(conjunct);
    return !about;
  };
  if (plan.kind === 'Filter') {
    const input = withoutOuter(plan.input, isOuter, outer);
    return filter(input, plan.predicates.filter(isInner));
  }
  if (plan.kind !== 'Join' || plan.lateral || (plan.join !== 'inner' && plan.join !== 'cross')) return plan;
  const on = plan.on.filter(isInner);
  return withFields(plan, {
    join: on.length === 0 ? 'cross' : 'inner',
    left: withoutOuter(plan.left, isOuter, outer),
    right: withoutOuter(plan.right, isOuter, outer),
    on,
  });
}

/** `around`: the plan whose rows the EXISTS is asked for. Null where it asks nothing by equality. */
export function decorrelate(subquery: LogicalPlan, around: LogicalPlan): Decorrelated | null {
  const rows = rowsOf(subquery);
  if (rows === null) return null;
  const outerColumns = producedColumns(around);
  const outer: Expression[] = [];
  const plan = withoutOuter(rows, (id) => outerColumns.has(id), outer);
  const pairs = outer
    .flatMap(columnEqualities)
    .filter(({ column, value }) => outerColumns.has(column.id) && isSource(value, plan))
    .map(({ column, value }): CandidatePair => ({ target: column.id, source: value }));
  return pairs.length === 0 ? null : { plan, pairs };
}
