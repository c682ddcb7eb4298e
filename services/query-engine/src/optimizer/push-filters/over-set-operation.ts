/**
 * Conjuncts over UNION, INTERSECT and EXCEPT hold for each side's rows as well, as long as they mean the same there:
 * columns of the two sides may be of different types, and the result's values are compared as what both become.
 */
import { columnReference } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { LogicalPlan, SetOperation } from '../../logical/plan.ts';
import { usedColumns, usesOnlyOutputOf } from '../column-use.ts';
import { constantConjunct } from '../constant-conjunct.ts';
import { substitute, type Replacements } from '../substitute.ts';
import { comparesWithNumbers, valueTypeOf } from '../value-type.ts';

export interface SetOperationConjuncts {
  readonly left: readonly Expression[];
  readonly right: readonly Expression[];
  /** Not decided by the sides alone; some of them are said to the sides too. */
  readonly above: readonly Expression[];
}

/**
 * `moves`: says the same of each side as of the result. `copies`: true of at least the rows of a side that it is true of
 * in the result, since equality by text implies equality by number and by truth value.
 */
function descent(node: SetOperation, conjunct: Expression): 'moves' | 'copies' | 'stays' {
  if (usedColumns(conjunct).size === 0 || !usesOnlyOutputOf(conjunct, node)) return 'stays';
  if (conjunct.kind === 'IsNull' && conjunct.operand.kind === 'ColumnReference') return 'moves';
  const types = [...usedColumns(conjunct)].map((id) => valueTypeOf(node, id));
  const sameTypes = types.every(
    (type) => type !== null && (type !== 'number' || comparesWithNumbers(conjunct)),
  );
  if (sameTypes) return 'moves';
  return constantConjunct(conjunct) === null ? 'stays' : 'copies';
}

function columnsOf(node: SetOperation, side: LogicalPlan): Replacements {
  const columns = outputColumns(side);
  return new Map(
    node.columns.flatMap(({ id }, i) => {
      const column = columns[i];
      return column === undefined ? [] : [[id, columnReference(column)] as const];
    }),
  );
}

/** Distributes the conjuncts of a Filter over a set operation. */
export function distributeOverSetOperation(
  node: SetOperation,
  conjuncts: readonly Expression[],
): SetOperationConjuncts {
  const replacements = [columnsOf(node, node.left), columnsOf(node, node.right)] as const;
  const left: Expression[] = [];
  const right: Expression[] = [];
  const above: Expression[] = [];
  for (const conjunct of conjuncts) {
    const how = descent(node, conjunct);
    const [ofLeft, ofRight] = replacements.map((columns) => substitute(conjunct, columns));
    if (how === 'stays' || !ofLeft || !ofRight) {
      above.push(conjunct);
      continue;
    }
    left.push(ofLeft);
    right.push(ofRight);
    if (how === 'copies') above.push(conjunct);
  }
  return { left, right, above };
}
