/**
 * Joins of many tables by one value (`b.id = a.id`, `c.id = b.id`, …): DuckDB's filter pushdown compares all that are equal
 * with each other at each join, in time by the cube of their number and more, eleven seconds for a hundred tables. So
 * equalities are said in groups, each of which it does not know to be of the same value as the others.
 */
import type { Expression } from '../logical/expression.ts';
import type { Join } from '../logical/plan.ts';
import { producedColumns } from '../optimizer/column-use.ts';
import { CONVERTED_JOINS_PLANNED_TOGETHER, JOINS_PLANNED_TOGETHER } from './limits.ts';
import type { Typed } from './types/sql-type.ts';
import { comparesAsStored, hashableEquality } from './comparison.ts';
import { columnValue, type WriteScope } from './scope.ts';

/** Joins on the left of this one. */
export function joinsBefore(join: Join): number {
  let joins = 0;
  for (let plan = join.left; ; joins++) {
    while (plan.kind === 'Filter' || plan.kind === 'Project') plan = plan.input;
    if (plan.kind !== 'Join') break;
    plan = plan.left;
  }
  return joins;
}

/** An equality of columns, with the left side's as an expression of the group; null for any other conjunct, and in the first group. */
export function writeApart(
  conjunct: Expression,
  join: Join,
  before: number,
  scope: WriteScope,
): string | null {
  if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return null;
  const { left, right } = conjunct;
  if (left.kind !== 'ColumnReference' || right.kind !== 'ColumnReference') return null;
  const [a, b]: readonly Typed[] = [left, right].map(({ column }) => columnValue(scope, column.id));
  if (a === undefined || b === undefined || a.type.kind === 'null') return null;
  const together = comparesAsStored(a.type, b.type)
    ? JOINS_PLANNED_TOGETHER
    : CONVERTED_JOINS_PLANNED_TOGETHER;
  const group = Math.floor(before / together);
  if (group === 0) return null;
  const ofLeft = producedColumns(join.left);
  if (ofLeft.has(left.column.id) === ofLeft.has(right.column.id)) return null;
  const [earlier, later] = ofLeft.has(left.column.id) ? [a, b] : [b, a];
  // As many times as the group's number, so that it is no other group's expression.
  const copies = Array<string>(group).fill(earlier.sql).join(', ');
  return hashableEquality(later, { sql: `list_extract([${copies}], 1)`, type: earlier.type });
}
