/**
 * Chains of one set operation: DuckDB refuses queries that are nested too deeply, and a UNION of a few hundred SELECTs
 * leans to the left. Written as a balanced tree, it is a few levels.
 */
import type { LogicalPlan, SetOperation } from '../logical/plan.ts';

/** What a chain of the same operation combines, from left to right. */
export function operandsOf(node: SetOperation): readonly LogicalPlan[] {
  const operands: LogicalPlan[] = [];
  let left: LogicalPlan = node;
  while (left.kind === 'SetOperation' && left.operator === node.operator && left.all === node.all) {
    operands.push(left.right);
    left = left.left;
  }
  operands.push(left);
  return operands.reverse();
}

function balanced(operator: string, selects: readonly string[]): string {
  if (selects.length <= 2) return selects.join(` ${operator} `);
  const middle = Math.ceil(selects.length / 2);
  const [left, right] = [selects.slice(0, middle), selects.slice(middle)].map((half) =>
    half.length === 1 ? half[0] : `(${balanced(operator, half)})`,
  );
  return `${left} ${operator} ${right}`;
}

/** The operands' SELECTs, each in brackets and all of the same columns, as one query. */
export function combine({ operator, all }: SetOperation, selects: readonly string[]): string {
  const ending = all ? ' ALL' : '';
  const [first = '', ...others] = selects;
  if (operator !== 'except') return balanced(`${operator.toUpperCase()}${ending}`, selects);
  // What is taken away one after the other is taken away together.
  const [only = ''] = others;
  const taken = others.length === 1 ? only : `(${balanced(`UNION${ending}`, others)})`;
  return `${first} EXCEPT${ending} ${taken}`;
}
