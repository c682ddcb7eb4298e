import type { ColumnId } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { producedColumns } from './column-use.ts';
import { constantConjunct, type ConstantConjunct } from './constant-conjunct.ts';

/** What Filters in the plan say of its column: constants that each of its values equals, unless it is NULL. */
export function knownConstants(plan: LogicalPlan, id: ColumnId): readonly ConstantConjunct[] {
  switch (plan.kind) {
    case 'Filter':
      return [...constantsIn(plan.predicates, id), ...knownConstants(plan.input, id)];
    case 'Project': {
      const source = plan.columns.find(({ column }) => column.id === id)?.expression;
      return source?.kind === 'ColumnReference' ? knownConstants(plan.input, source.column.id) : [];
    }
    case 'Aggregate': {
      const source = plan.groupBy.find(({ column }) => column.id === id)?.expression;
      if (source?.kind !== 'ColumnReference' || plan.groupingSets !== null) return [];
      return knownConstants(plan.input, source.column.id);
    }
    case 'Join': {
      const side = producedColumns(plan.left).has(id) ? plan.left : plan.right;
      const inner = plan.join === 'inner' || plan.join === 'cross';
      return [...(inner ? constantsIn(plan.on, id) : []), ...knownConstants(side, id)];
    }
    case 'Sort':
    case 'Limit':
    case 'Distinct':
    case 'Window':
      return knownConstants(plan.input, id);
    case 'With':
      return knownConstants(plan.body, id);
    case 'TableScan':
    case 'Values':
    case 'SetOperation':
    case 'CteScan':
      return [];
  }
}

/** Of these conjuncts, those that bind the column to constants. */
export function constantsIn(
  conjuncts: Extract<LogicalPlan, { kind: 'Filter' }>['predicates'],
  id: ColumnId,
): readonly ConstantConjunct[] {
  return conjuncts.flatMap((conjunct) => {
    const constant = constantConjunct(conjunct);
    return constant?.column.id === id ? [constant] : [];
  });
}
