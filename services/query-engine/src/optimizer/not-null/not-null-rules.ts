/**
 * Rules by which rows with NULL in a column may be left out below a plan node, as data: what is above ignores them. Where
 * the column is a key of an index, that index then has every row that counts, though it lacks items without its keys.
 */
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Aggregate, Join, LogicalPlan, SetOperation } from '../../logical/plan.ts';
import { producedColumns } from '../column-use.ts';
import { isNullWith, rejectsNull } from '../rejects-null.ts';
import { ignoresNullOf } from './null-ignoring-aggregates.ts';

/** Whether rows in which this column is NULL may be left out. */
export type MayLeaveOut = (id: ColumnId) => boolean;

export interface NotNullRule {
  readonly name: string;
  /** What it concludes. */
  readonly implies: string;
  /** Where the conclusion would be wrong, so that it must not be drawn. */
  readonly unless: string;
  /**
   * Whether rows of the node's input in which the column is NULL may be left out. `above`: the same of the node's own rows.
   */
  readonly holds: (node: LogicalPlan, input: LogicalPlan, id: ColumnId, above: MayLeaveOut) => boolean;
}

const rejects = (conjuncts: readonly Expression[], id: ColumnId): boolean => {
  const columns = new Set([id]);
  return conjuncts.some((conjunct) => rejectsNull(conjunct, columns));
};

/** An output that is NULL where the column is, and whose NULLs are ignored. */
function isIgnoredAs(
  outputs: readonly { readonly column: { readonly id: ColumnId }; readonly expression: Expression }[],
  id: ColumnId,
  above: MayLeaveOut,
): boolean {
  const columns = new Set([id]);
  return outputs.some(({ column, expression }) => isNullWith(expression, columns) && above(column.id));
}

const isWithoutGroups = ({ groupBy, groupings, groupingSets }: Aggregate): boolean =>
  groupBy.length === 0 && groupings.length === 0 && groupingSets === null;

/** A side of a join whose rows only count where they have a partner. */
function needsPartner({ join, left, right }: Join, input: LogicalPlan): boolean {
  if (join === 'inner') return true;
  return (join === 'left' && input === right) || (join === 'right' && input === left);
}

function isIgnoredInUnion(node: SetOperation, input: LogicalPlan, id: ColumnId, above: MayLeaveOut): boolean {
  if (node.operator !== 'union') return false;
  return outputColumns(input).some((column, i) => {
    const output = node.columns[i];
    return column.id === id && output !== undefined && above(output.id);
  });
}

export const NOT_NULL_RULES: readonly NotNullRule[] = Object.freeze([
  {
    name: 'strict predicate',
    implies: 'a column for whose NULL a predicate is never true',
    unless:
      'the predicate may be true of NULL: IS NULL, COALESCE, an OR with a branch that does not name the column',
    holds: (node, _, id) => node.kind === 'Filter' && rejects(node.predicates, id),
  },
  {
    name: 'join condition',
    implies: 'a column of a side that needs a partner, for whose NULL the condition is never true',
    unless:
      'an outer join keeps the rows of that side, or the condition may be true of NULL (IS NOT DISTINCT FROM)',
    holds: (node, input, id) => node.kind === 'Join' && needsPartner(node, input) && rejects(node.on, id),
  },
  {
    name: 'aggregates that ignore NULL',
    implies: 'a column whose NULL makes every aggregate pass over the row',
    unless: 'COUNT(*) or another aggregate counts the row, or groups would be lost with all their rows',
    holds: (node, _, id) =>
      node.kind === 'Aggregate' &&
      isWithoutGroups(node) &&
      node.aggregates.length > 0 &&
      node.aggregates.every(({ call }) => ignoresNullOf(call, id)),
  },
  {
    name: 'group that is ignored',
    implies: 'what is grouped by, where the group of NULL is ignored above',
    unless: 'there are grouping sets, in which NULL stands for all groups',
    holds: (node, _, id, above) =>
      node.kind === 'Aggregate' && node.groupingSets === null && isIgnoredAs(node.groupBy, id, above),
  },
  {
    name: 'computed column',
    implies: 'a column whose NULL makes an output NULL that is ignored above',
    unless: 'the output has a value all the same: COALESCE, CASE',
    holds: (node, _, id, above) => node.kind === 'Project' && isIgnoredAs(node.columns, id, above),
  },
  {
    name: 'branch of a union',
    implies: 'the column of a branch that becomes one whose NULLs are ignored above',
    unless: 'rows are taken away, or have to be in both: EXCEPT, INTERSECT',
    holds: (node, input, id, above) =>
      node.kind === 'SetOperation' && isIgnoredInUnion(node, input, id, above),
  },
  {
    name: 'handed through',
    implies:
      'a column that comes out as it is, and is ignored above; rows that an outer join adds are ignored too',
    unless: 'which rows come out depends on the others: LIMIT, DISTINCT ON, window functions',
    holds: (node, input, id, above) => {
      switch (node.kind) {
        case 'Filter':
        case 'Sort':
        case 'Join':
        case 'Unnest':
          return above(id);
        case 'Distinct':
          return node.on === null && above(id);
        case 'With':
          return input === node.body && producedColumns(input).has(id) && above(id);
        default:
          return false;
      }
    },
  },
] satisfies readonly NotNullRule[]);

/** What may be left out of an input, by all rules. */
export function belowNode(node: LogicalPlan, input: LogicalPlan, above: MayLeaveOut): MayLeaveOut {
  return (id) => NOT_NULL_RULES.some(({ holds }) => holds(node, input, id, above));
}
