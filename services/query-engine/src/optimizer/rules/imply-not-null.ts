/**
 * A scan is told that a column is not NULL where what is above ignores the rows in which it is (not-null/not-null-rules.ts):
 * an index by that column may be read then, though it lacks the other items. Only of attributes that are keys of an
 * index; nothing is won by saying it of others.
 */
import { indexKeyAttributes } from '../../catalog/table.ts';
import { columnReference, expression, isNeverTrue } from '../../logical/build-expression.ts';
import { constantValue } from '../../logical/constant-value.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../../logical/plan.ts';
import { mapChildren, mapExpressions, mapInputs, withFields } from '../../logical/visit.ts';
import { belowNode, type MayLeaveOut } from '../not-null/not-null-rules.ts';
import type { Rule } from '../rule.ts';

const NOTHING_LEFT_OUT: MayLeaveOut = () => false;

/** Whether the attribute is a key of an index and not one of the table, which no item lacks. */
function isIndexKey({ path }: ScanColumn, { key, indexes }: TableScan['table']): boolean {
  const [name] = path;
  if (path.length !== 1 || name === key.partitionKey.name || name === key.sortKey?.name) return false;
  return indexes.some((index) => indexKeyAttributes(index.key).some((attribute) => attribute.name === name));
}

const isColumn = (node: Expression, id: ColumnId): boolean =>
  node.kind === 'ColumnReference' && node.column.id === id;

const isConstant = (node: Expression): boolean => constantValue(node) !== null;

/** Whether a conjunct says it already, as a comparison of the column with a constant does. */
function saysNotNull(conjunct: Expression, id: ColumnId): boolean {
  switch (conjunct.kind) {
    case 'IsNull':
      return conjunct.negated && isColumn(conjunct.operand, id);
    case 'Comparison': {
      const { left, right, operator } = conjunct;
      const plain = (isColumn(left, id) && isConstant(right)) || (isColumn(right, id) && isConstant(left));
      return plain && !operator.startsWith('IS ');
    }
    case 'Between':
      return isColumn(conjunct.operand, id) && isConstant(conjunct.low);
    case 'InList':
    case 'Like':
      return isColumn(conjunct.operand, id);
    default:
      return false;
  }
}

/** The scan, told that those of its columns that are keys of indexes and may be left out where NULL are not NULL. */
export function withImpliedNotNull(scan: TableScan, mayLeaveOut: MayLeaveOut): TableScan {
  if (scan.filter.some(isNeverTrue)) return scan;
  const implied = scan.columns
    .filter(
      (column) =>
        isIndexKey(column, scan.table) &&
        !scan.filter.some((conjunct) => saysNotNull(conjunct, column.id)) &&
        mayLeaveOut(column.id),
    )
    .map((column) => expression({ kind: 'IsNull', operand: columnReference(column), negated: true }));
  if (implied.length === 0) return scan;
  return withFields(scan, {
    filter: Object.freeze([...scan.filter, ...implied]),
    implied: Object.freeze([...(scan.implied ?? []), ...implied]),
  });
}

/** The scan without what is only implied of its rows. */
export function withoutImplied(scan: TableScan): TableScan {
  const { implied = [] } = scan;
  if (implied.length === 0) return scan;
  const { implied: _, ...plain } = scan;
  return Object.freeze({ ...plain, filter: scan.filter.filter((conjunct) => !implied.includes(conjunct)) });
}

function visit(plan: LogicalPlan, mayLeaveOut: MayLeaveOut): LogicalPlan {
  if (plan.kind === 'TableScan') return withImpliedNotNull(plan, mayLeaveOut);
  const node = mapExpressions(plan, intoExpression);
  return mapInputs(node, (input) => visit(input, belowNode(node, input, mayLeaveOut)));
}

function intoExpression(root: Expression): Expression {
  return mapChildren(root, intoExpression, (plan) => visit(plan, NOTHING_LEFT_OUT));
}

export const implyNotNull: Rule = Object.freeze({
  name: 'imply-not-null',
  apply: (plan: LogicalPlan) => visit(plan, NOTHING_LEFT_OUT),
});
