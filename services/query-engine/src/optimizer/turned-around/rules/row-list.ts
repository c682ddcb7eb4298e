/** `(left(k, 2), n) IN (('A#', 1), ('B#', 2))`: each row of the list by its fields. */
import { and, comparison } from '../../../logical/build-expression.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundRule } from '../rule.ts';

function rowEquals(fields: readonly Expression[], row: Expression): Expression | null {
  if (row.kind !== 'Row' || row.values.length !== fields.length) return null;
  return and(fields.map((field, i) => comparison('=', field, row.values[i] ?? field)));
}

export const rowList: TurnAroundRule = Object.freeze({
  name: 'row-list',
  condition: (node: Expression): Expression | null => {
    if (node.kind !== 'InList' || node.negated || node.operand.kind !== 'Row') return null;
    const { values: fields } = node.operand;
    // Of columns alone it is understood as it is, however long.
    if (fields.every(({ kind }) => kind === 'ColumnReference')) return null;
    const operands = node.values.map((row) => rowEquals(fields, row));
    return operands.every((one) => one !== null)
      ? Object.freeze({ kind: 'Or', operands: Object.freeze(operands) })
      : null;
  },
});
