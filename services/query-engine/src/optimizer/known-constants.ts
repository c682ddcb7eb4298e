/** What the Filters of a plan say of one of its columns. */
import type { ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { producedColumns } from './column-use.ts';
import { constantConjunct, type ConstantConjunct } from './constant-conjunct.ts';
import { isEmpty } from './is-empty.ts';

/** Where a column of a plan comes from: columns of plans below, or from an expression of its own. */
type Sources = readonly { readonly plan: LogicalPlan; readonly id: ColumnId }[] | 'computed';

function sourcesOf(plan: LogicalPlan, id: ColumnId): Sources {
  switch (plan.kind) {
    case 'Project': {
      const source = plan.columns.find(({ column }) => column.id === id)?.expression;
      return source?.kind === 'ColumnReference' ? [{ plan: plan.input, id: source.column.id }] : 'computed';
    }
    case 'Aggregate': {
      const source = plan.groupBy.find(({ column }) => column.id === id)?.expression;
      if (source === undefined || plan.groupingSets !== null) return [];
      return source.kind === 'ColumnReference' ? [{ plan: plan.input, id: source.column.id }] : 'computed';
    }
    case 'Join':
      return [{ plan: producedColumns(plan.left).has(id) ? plan.left : plan.right, id }];
    case 'SetOperation': {
      const position = plan.columns.findIndex((column) => column.id === id);
      return [plan.left, plan.right].flatMap((side) => {
        const column = outputColumns(side)[position];
        return column === undefined || isEmpty(side) ? [] : [{ plan: side, id: column.id }];
      });
    }
    case 'Filter':
    case 'Sort':
    case 'Limit':
    case 'Distinct':
    case 'Window':
    case 'Unnest':
      return producedColumns(plan.input).has(id) ? [{ plan: plan.input, id }] : [];
    case 'With':
      return [{ plan: plan.body, id }];
    case 'TableScan':
    case 'Values':
    case 'Series':
    case 'CteScan':
    case 'Recursion':
    case 'RecursionScan':
      return [];
  }
}

/** What the node itself says. */
function ownConjuncts(plan: LogicalPlan): readonly Expression[] {
  if (plan.kind === 'Filter') return plan.predicates;
  return plan.kind === 'Join' && (plan.join === 'inner' || plan.join === 'cross') ? plan.on : [];
}

/** Tells two constants apart, whatever column they are said of. */
export function sayingOf({ conjunct, values }: ConstantConjunct): string {
  return JSON.stringify([conjunct.kind, values]);
}

/** Constants that each value of the column equals, unless it is NULL. */
export function knownConstants(plan: LogicalPlan, id: ColumnId): readonly ConstantConjunct[] {
  const own = ownConjuncts(plan).flatMap((conjunct) => {
    const constant = constantConjunct(conjunct);
    return constant?.column.id === id ? [constant] : [];
  });
  const sources = sourcesOf(plan, id);
  if (sources === 'computed') return own;
  const [first = [], ...others] = sources.map((source) => knownConstants(source.plan, source.id));
  const inAll = first.filter((constant) =>
    others.every((other) => other.some((one) => sayingOf(one) === sayingOf(constant))),
  );
  return [...own, ...inAll];
}

/** True when the column is an expression somewhere below: what is said of it ends there, under no column's name. */
export function isComputed(plan: LogicalPlan, id: ColumnId): boolean {
  const sources = sourcesOf(plan, id);
  return sources === 'computed' || sources.some((source) => isComputed(source.plan, source.id));
}
