/** What the columns of a plan are made of, down to those of its tables. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { columnReference } from '../../logical/build-expression.ts';
import type { AggregateCall, Column, ColumnId, Expression } from '../../logical/expression.ts';
import { aggregateNamed } from '../../logical/functions/list.ts';
import { outputColumns } from '../../logical/output.ts';
import type { LogicalPlan, TableScan, Unnest } from '../../logical/plan.ts';
import { mapChildren, walkDeep } from '../../logical/visit.ts';

export interface ColumnDefinitions {
  /** What a column is computed of; a union's column is one of several. */
  readonly made: ReadonlyMap<ColumnId, readonly Expression[]>;
  readonly scans: ReadonlyMap<ColumnId, TableScan>;
  /** By the column of their elements. */
  readonly unnests: ReadonlyMap<ColumnId, Unnest>;
}

/** The argument whose values the call hands on; null where it makes values of its own. */
function handedOn(call: AggregateCall): Expression | null {
  const { result } = aggregateNamed(call.name);
  if (typeof result !== 'object') return null;
  return call.arguments[result.sameAs] ?? call.withinGroup[0]?.expression ?? null;
}

const referenceTo = (columns: readonly Column[], position: number): readonly Expression[] => {
  const column = columns[position];
  return column === undefined ? [] : [columnReference(column)];
};

export const columnDefinitions: (plan: LogicalPlan) => ColumnDefinitions = remembered((plan) => {
  const made = new Map<ColumnId, readonly Expression[]>();
  const scans = new Map<ColumnId, TableScan>();
  const unnests = new Map<ColumnId, Unnest>();
  const ctes = new Map<number, readonly Column[]>();
  const define = ({ id }: Column, of: readonly Expression[]): void => {
    // A column that is handed through keeps its ID.
    const isItself = of.some((one) => one.kind === 'ColumnReference' && one.column.id === id);
    if (!isItself && of.length > 0) made.set(id, of);
  };
  const calls = (entries: readonly { readonly column: Column; readonly call: AggregateCall }[]): void => {
    for (const { column, call } of entries) {
      const of = handedOn(call);
      if (of !== null) define(column, [of]);
    }
  };
  walkDeep(plan, {
    plan: (node) => {
      switch (node.kind) {
        case 'TableScan':
          for (const { id } of node.columns) scans.set(id, node);
          return;
        case 'Project':
          for (const { column, expression } of node.columns) define(column, [expression]);
          return;
        case 'Aggregate':
          for (const { column, expression } of node.groupBy) define(column, [expression]);
          calls(node.aggregates);
          return;
        case 'Window':
          calls(node.functions);
          return;
        case 'SetOperation':
          for (const [i, column] of node.columns.entries())
            define(
              column,
              [node.left, node.right].flatMap((side) => referenceTo(outputColumns(side), i)),
            );
          return;
        case 'Recursion':
          for (const [i, column] of node.columns.entries())
            define(column, referenceTo(outputColumns(node.base), i));
          return;
        case 'With':
          for (const cte of node.ctes) ctes.set(cte.id, outputColumns(cte.plan));
          return;
        case 'CteScan':
          for (const [i, column] of node.columns.entries())
            define(column, referenceTo(ctes.get(node.cteId) ?? [], i));
          return;
        case 'Unnest':
          unnests.set(node.column.id, node);
          return;
        default:
          return;
      }
    },
  });
  return { made, scans, unnests };
});

/** Nodes that what stands for an expression may have, and alternatives of a union's columns. */
const NODES_MAX = 500;
const ALTERNATIVES_MAX = 8;

/**
 * The expression over columns of tables alone, once for each side of a union that it may come from; none where that takes
 * too many nodes.
 */
export function expanded(root: Expression, { made }: ColumnDefinitions): readonly Expression[] {
  let nodes = 0;
  let isTooLarge = false;
  /** `side` counts the sides of all unions in one number, so that each run of it picks one. */
  let side = 0;
  let sides = 1;
  const expand = (node: Expression): Expression => {
    if (isTooLarge || ++nodes > NODES_MAX) {
      isTooLarge = true;
      return node;
    }
    if (node.kind === 'ScalarSubquery') {
      const [column] = outputColumns(node.plan);
      return column === undefined ? node : expand(columnReference(column, node.pos));
    }
    const of = node.kind === 'ColumnReference' ? made.get(node.column.id) : undefined;
    if (of === undefined) return mapChildren(node, expand);
    sides = Math.max(sides, of.length);
    const chosen = of[side % of.length];
    return chosen === undefined ? node : expand(chosen);
  };
  const results: Expression[] = [];
  for (; side < Math.min(sides, ALTERNATIVES_MAX); side++) {
    nodes = 0;
    results.push(expand(root));
    if (isTooLarge) return [];
  }
  return results;
}
