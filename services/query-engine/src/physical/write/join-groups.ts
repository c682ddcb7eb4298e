/**
 * Joins of many tables by one value (`b.id = a.id`, `c.id = b.id`, …): DuckDB's filter pushdown compares all that are equal
 * with each other at each join, in time by the cube of their number and more, eleven seconds for a hundred tables. So
 * equalities are said in groups, each of which it does not know to be of the same value as the others.
 */
import type { Expression } from '../../logical/expression.ts';
import type { Join, LogicalPlan } from '../../logical/plan.ts';
import { producedColumns } from '../../optimizer/column-use.ts';
import { JOINS_PLANNED_TOGETHER } from '../limits.ts';
import type { Typed } from '../types/sql-type.ts';
import { comparesAsStored } from './comparison.ts';
import { columnValue, type WriteScope } from './scope.ts';

/** Which group of joins, from the left, the join belongs to. */
export function joinGroup(join: Join): number {
  let joins = 0;
  for (let plan: LogicalPlan = join; ; joins++) {
    while (plan.kind === 'Filter' || plan.kind === 'Project') plan = plan.input;
    if (plan.kind !== 'Join') break;
    plan = plan.left;
  }
  return Math.floor(joins / JOINS_PLANNED_TOGETHER);
}

/** An equality of columns, with the left side's as an expression of the group; null for any other conjunct. */
export function writeApart(
  conjunct: Expression,
  join: Join,
  group: number,
  scope: WriteScope,
): string | null {
  if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return null;
  const { left, right } = conjunct;
  if (left.kind !== 'ColumnReference' || right.kind !== 'ColumnReference') return null;
  const [a, b]: readonly Typed[] = [left, right].map(({ column }) => columnValue(scope, column.id));
  if (a === undefined || b === undefined || a.type.kind !== b.type.kind) return null;
  if (a.type.kind === 'null' || !comparesAsStored(a.type, b.type)) return null;
  const ofLeft = producedColumns(join.left);
  if (ofLeft.has(left.column.id) === ofLeft.has(right.column.id)) return null;
  const [earlier, later] = ofLeft.has(left.column.id) ? [a, b] : [b, a];
  // As many times as the group's number, so that it is no other group's expression.
  return `(${later.sql} = list_extract([${Array<string>(group).fill(earlier.sql).join(', ')}], 1))`;
}
