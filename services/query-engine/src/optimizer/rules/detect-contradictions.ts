/**
 * `key = 1 AND key = 2` is FALSE. Only over a table's own keys, whose type is certain: of other columns two constants
 * may equal one value (5 and 6 are both TRUE, '1' and '01' both 1); for those the read decides.
 */
import { FALSE_LITERAL } from '../../logical/build-expression.ts';
import type { LiteralValue } from '../../logical/expression.ts';
import type { Filter, LogicalPlan, TableScan } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import { compareLiterals } from '../compare-literals.ts';
import { constantConjunct } from '../constant-conjunct.ts';
import type { Rule } from '../rule.ts';
import { valueTypeOf } from '../value-type.ts';

/** Whether no value of that certain type equals both. */
function exclude(type: string | null, a: LiteralValue, b: LiteralValue): boolean {
  if (a.type !== b.type || (type !== 'text' && type !== 'number')) return false;
  // A number may be written in many ways as text.
  if (a.type === 'text' && type !== 'text') return false;
  const order = compareLiterals(a, b);
  return (a.type === 'text' || a.type === 'number') && order !== null && order !== 0;
}

function contradicts(filter: Filter, scan: TableScan): boolean {
  const bound = new Map<number, LiteralValue>();
  return filter.predicates.some((predicate) => {
    const constant = constantConjunct(predicate);
    const [value, ...others] = constant?.values ?? [];
    if (constant === null || value === undefined || others.length > 0) return false;
    const { id } = constant.column;
    const before = bound.get(id);
    bound.set(id, value);
    return before !== undefined && exclude(valueTypeOf(scan, id), before, value);
  });
}

function detect(node: LogicalPlan): LogicalPlan {
  if (node.kind !== 'Filter' || node.input.kind !== 'TableScan' || !contradicts(node, node.input))
    return node;
  return withFields(node, { predicates: Object.freeze([FALSE_LITERAL]) });
}

export const detectContradictions: Rule = Object.freeze({
  name: 'detect-contradictions',
  apply: (plan: LogicalPlan) => transformPlan(plan, detect),
});
