/**
 * `k = 'a' AND (k, s) IN (SELECT k, max(s) … GROUP BY k)` gives the subquery `k = 'a'`: only its rows that equal those that are
 * asked about make the condition true, so that it can be read by key as well.
 *
 * Not for NOT IN, nor where IN is part of another condition: there NULLs and the lack of rows have a say. Both columns must be
 * keys of one type, as IN compares values of different types as doubles.
 */
import type { Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Filter, LogicalPlan } from '../../logical/plan.ts';
import { mapList, transformPlan, withFields } from '../../logical/visit.ts';
import { columnOrigins } from '../column-origins.ts';
import { filterOver } from '../conjuncts.ts';
import { constantOver } from '../constant-conjunct.ts';
import { isComputed, knownConstants, sayingOf } from '../known-constants.ts';
import { TRANSFERRED_VALUES_MAX } from '../limits.ts';
import type { Rule } from '../rule.ts';
import { keyTypeOf } from '../transferable.ts';

type OriginOf = ReturnType<typeof columnOrigins>;

/** What the rows that are asked about say of the subquery's columns. */
function conclusions(
  operand: Expression,
  plan: LogicalPlan,
  asking: Filter,
  originOf: OriginOf,
): readonly Expression[] {
  const operands = operand.kind === 'Row' ? operand.values : [operand];
  const columns = outputColumns(plan);
  return operands.flatMap((one, i) => {
    const column = columns[i];
    if (one.kind !== 'ColumnReference' || column === undefined || isComputed(plan, column.id)) return [];
    const [type, other] = [originOf(one.column.id), originOf(column.id)].map(keyTypeOf);
    if ((type !== 'S' && type !== 'N') || other !== type) return [];
    const said = new Set(knownConstants(plan, column.id).map(sayingOf));
    return knownConstants(asking, one.column.id)
      .filter((constant) => constant.values.length <= TRANSFERRED_VALUES_MAX && !said.has(sayingOf(constant)))
      .map((constant) => constantOver(constant, column));
  });
}

function transfer(root: LogicalPlan): LogicalPlan {
  const originOf = columnOrigins(root);
  return transformPlan(root, (node) => {
    if (node.kind !== 'Filter') return node;
    const predicates = mapList(node.predicates, (predicate): Expression => {
      if (predicate.kind !== 'InSubquery' || predicate.negated) return predicate;
      const concluded = conclusions(predicate.operand, predicate.plan, node, originOf);
      return concluded.length === 0
        ? predicate
        : withFields(predicate, { plan: filterOver(predicate.plan, concluded) });
    });
    return withFields(node, { predicates });
  });
}

export const transferIntoMemberships: Rule = Object.freeze({
  name: 'transfer-into-memberships',
  apply: transfer,
});
