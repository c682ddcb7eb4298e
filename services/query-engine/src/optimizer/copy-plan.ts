/** A part of a plan once more, for another place in the same statement: the same rows under new column IDs. */
import type { Column, ColumnId } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan, Series, Unnest } from '../logical/plan.ts';
import {
  mapExpressions,
  mapList,
  transformExpression,
  transformPlan,
  visitPlan,
  walkDeep,
  withFields,
  type PlanVisitor,
} from '../logical/visit.ts';

/** Numbers that the statement does not use, for columns and for CTEs and recursions. */
export interface FreshIds {
  readonly column: () => ColumnId;
  readonly cte: () => number;
}

/** The CTEs or the recursion that the node itself defines. */
function definedBy(node: LogicalPlan): readonly number[] {
  if (node.kind === 'With') return node.ctes.map(({ id }) => id);
  return node.kind === 'Recursion' ? [node.id] : [];
}

export function freshIds(root: LogicalPlan): FreshIds {
  let [lastColumn, lastCte] = [0, 0];
  walkDeep(root, {
    plan: (node) => {
      for (const { id } of outputColumns(node)) lastColumn = Math.max(lastColumn, id);
      for (const id of definedBy(node)) lastCte = Math.max(lastCte, id);
    },
  });
  return { column: () => (lastColumn += 1), cte: () => (lastCte += 1) };
}

/** New numbers for all that the plan itself defines; what it has from around it stays. */
function renamings(plan: LogicalPlan, fresh: FreshIds) {
  const columns = new Map<ColumnId, ColumnId>();
  const ctes = new Map<number, number>();
  walkDeep(plan, {
    plan: (node) => {
      for (const { id } of outputColumns(node)) if (!columns.has(id)) columns.set(id, fresh.column());
      for (const id of definedBy(node)) ctes.set(id, fresh.cte());
    },
  });
  return { columns, ctes };
}

export function copyPlan(plan: LogicalPlan, fresh: FreshIds): LogicalPlan {
  const { columns, ctes } = renamings(plan, fresh);
  const renamed = <C extends Column>(column: C): C =>
    withFields<Column>(column, { id: columns.get(column.id) ?? column.id }) as C;
  const entry = <E extends { readonly column: Column }>(one: E): E =>
    withFields<{ readonly column: Column }>(one, { column: renamed(one.column) }) as E;
  const madeColumns = ({ column, ordinality }: Unnest | Series): Pick<Unnest, 'column' | 'ordinality'> => ({
    column: renamed(column),
    ordinality: ordinality === null ? null : renamed(ordinality),
  });
  const cteId = (id: number): number => ctes.get(id) ?? id;
  const same = (node: LogicalPlan): LogicalPlan => node;
  const definitions: PlanVisitor<LogicalPlan> = {
    TableScan: (node) =>
      withFields(node, {
        columns: mapList(node.columns, renamed),
        orderHint: mapList(node.orderHint, entry),
        ...(node.topOfEach && {
          topOfEach: withFields(node.topOfEach, {
            by: mapList(node.topOfEach.by, renamed),
            order: mapList(node.topOfEach.order, entry),
          }),
        }),
      }),
    Values: (node) => withFields(node, { columns: mapList(node.columns, renamed) }),
    Filter: same,
    Project: (node) => withFields(node, { columns: mapList(node.columns, entry) }),
    Join: same,
    Unnest: (node) => withFields(node, madeColumns(node)),
    Series: (node) => withFields(node, madeColumns(node)),
    Aggregate: (node) =>
      withFields(node, {
        groupBy: mapList(node.groupBy, entry),
        aggregates: mapList(node.aggregates, entry),
        groupings: mapList(node.groupings, entry),
      }),
    Window: (node) => withFields(node, { functions: mapList(node.functions, entry) }),
    Distinct: same,
    SetOperation: (node) => withFields(node, { columns: mapList(node.columns, renamed) }),
    Sort: same,
    Limit: same,
    With: (node) =>
      withFields(node, { ctes: mapList(node.ctes, (cte) => withFields(cte, { id: cteId(cte.id) })) }),
    CteScan: (node) =>
      withFields(node, { cteId: cteId(node.cteId), columns: mapList(node.columns, renamed) }),
    Recursion: (node) => withFields(node, { id: cteId(node.id), columns: mapList(node.columns, renamed) }),
    RecursionScan: (node) =>
      withFields(node, {
        recursionId: cteId(node.recursionId),
        columns: mapList(node.columns, renamed),
      }),
  };
  return transformPlan(plan, (node) =>
    mapExpressions(visitPlan(definitions, node), (root) =>
      transformExpression(root, (expression) =>
        expression.kind === 'ColumnReference'
          ? withFields(expression, { column: renamed(expression.column) })
          : expression,
      ),
    ),
  );
}
