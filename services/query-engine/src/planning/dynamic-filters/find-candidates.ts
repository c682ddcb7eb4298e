/**
 * Carries what conditions want down to the scans, past every node that drops nothing else when rows are missing below
 * it: the rules of pushing filters. What is wanted of a column never goes below LIMIT, DISTINCT ON or a CTE's use.
 */
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import { filter } from '../../logical/build-plan.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import {
  expressionsOf,
  inputsOf,
  subqueryOf,
  visitPlan,
  walkExpression,
  type PlanVisitor,
} from '../../logical/visit.ts';
import { containsSubquery, producedColumns } from '../../optimizer/column-use.ts';
import {
  wantedByConjuncts,
  wantedByJoin,
  wantedBySetOperation,
  wantedOfMembership,
} from './implied-candidates.ts';
import type { Scope, Want } from './filter-candidate.ts';

/** For each scan, what is wanted of its columns. */
export type WantsOfScans = ReadonlyMap<TableScan, readonly Want[]>;

type Wants = readonly Want[];

/** The wants with their columns under the names that they have below; those that have none there are left out. */
function renamed(wants: Wants, nameBelow: (id: ColumnId) => ColumnId | null): Wants {
  return wants.flatMap((want) => {
    const pairs = want.pairs.flatMap(({ target, source }) => {
      const below = nameBelow(target);
      return below === null ? [] : [{ target: below, source }];
    });
    return pairs.length === 0 ? [] : [{ ...want, pairs }];
  });
}

function only(wants: Wants, columns: ReadonlySet<ColumnId>): Wants {
  return renamed(wants, (id) => (columns.has(id) ? id : null));
}

type Named = readonly { readonly column: { readonly id: ColumnId }; readonly expression: Expression }[];

/** Below a list of expressions, a column that is just another one is that one. */
function belowNames(wants: Wants, list: Named): Wants {
  const sources = new Map(list.map(({ column, expression }) => [column.id, expression]));
  return renamed(wants, (id) => {
    const source = sources.get(id);
    return source?.kind === 'ColumnReference' ? source.column.id : null;
  });
}

/** The rows that a subquery in the node's expressions is asked for. */
function framesOf(node: LogicalPlan): readonly LogicalPlan[] {
  if (node.kind !== 'Filter') return inputsOf(node);
  // Rows that another conjunct drops do not matter to a subquery.
  const plain = node.predicates.filter((predicate) => !containsSubquery(predicate));
  return [filter(node.input, plain)];
}

interface Inside {
  readonly plan: LogicalPlan;
  readonly wants: Wants;
}

function subqueriesOf(node: LogicalPlan, frames: readonly LogicalPlan[], scope: Scope): readonly Inside[] {
  const found: Inside[] = [];
  for (const root of expressionsOf(node)) {
    if (!containsSubquery(root)) continue;
    const [asking] = frames;
    const conjunct = node.kind === 'Filter' && asking !== undefined;
    walkExpression(root, (expression) => {
      const plan = subqueryOf(expression);
      if (plan === null) return;
      const wants = conjunct && expression === root ? wantedOfMembership(root, asking, node, scope) : [];
      found.push({ plan, wants });
    });
  }
  return found;
}

export function findWants(root: LogicalPlan): WantsOfScans {
  const found = new Map<TableScan, Wants>();

  const visit = (plan: LogicalPlan, wants: Wants, scope: Scope): void => {
    if (expressionsOf(plan).some(containsSubquery)) {
      const frames = framesOf(plan);
      const inside = { ...scope, outer: [...scope.outer, ...frames] };
      for (const subquery of subqueriesOf(plan, frames, scope)) visit(subquery.plan, subquery.wants, inside);
    }
    const visitor: PlanVisitor<void> = {
      TableScan: (scan) => {
        const own = only(wants, producedColumns(scan));
        if (own.length > 0) found.set(scan, own);
      },
      Values: () => undefined,
      CteScan: () => undefined,
      Filter: (node) => {
        const own = wantedByConjuncts(node.predicates, node.input, node, scope);
        visit(node.input, [...wants, ...own], scope);
      },
      Project: (node) => visit(node.input, belowNames(wants, node.columns), scope),
      Join: (node) => {
        const own = wantedByJoin(node, scope);
        const inner = node.join === 'inner' || node.join === 'cross';
        const toLeft = inner || node.join === 'left' ? only(wants, producedColumns(node.left)) : [];
        const toRight = inner || node.join === 'right' ? only(wants, producedColumns(node.right)) : [];
        visit(node.left, [...toLeft, ...own.left], scope);
        visit(node.right, [...toRight, ...own.right], scope);
      },
      Aggregate: (node) =>
        visit(node.input, node.groupingSets === null ? belowNames(wants, node.groupBy) : [], scope),
      Window: (node) => {
        const columns = node.functions.map(
          ({ window }) =>
            new Set(
              window.partitionBy.flatMap((key) => (key.kind === 'ColumnReference' ? [key.column.id] : [])),
            ),
        );
        const below = renamed(wants, (id) => (columns.every((partition) => partition.has(id)) ? id : null));
        visit(node.input, below, scope);
      },
      Distinct: (node) => visit(node.input, node.on === null ? wants : [], scope),
      SetOperation: (node) => {
        const own = wantedBySetOperation(node, scope);
        for (const side of ['left', 'right'] as const) {
          const columns = outputColumns(node[side]);
          const positions = new Map(node.columns.map(({ id }, i) => [id, columns[i]?.id ?? null]));
          const below = renamed(wants, (id) => positions.get(id) ?? null);
          visit(node[side], [...below, ...own[side]], scope);
        }
      },
      Sort: (node) => visit(node.input, wants, scope),
      Limit: (node) => visit(node.input, [], scope),
      With: (node) => {
        // Each CTE sees those before it.
        node.ctes.forEach((cte, i) =>
          visit(cte.plan, [], { ...scope, ctes: [...scope.ctes, ...node.ctes.slice(0, i)] }),
        );
        visit(node.body, wants, { ...scope, ctes: [...scope.ctes, ...node.ctes] });
      },
    };
    visitPlan(visitor, plan);
  };

  visit(root, [], { outer: [], ctes: [] });
  return found;
}
