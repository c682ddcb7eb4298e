/**
 * Carries the filter candidates of conditions down to the scans. They pass the same nodes as filters that are pushed down:
 * those whose other rows stay the same when rows are missing below. They never pass LIMIT, DISTINCT ON or the use of a CTE.
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
  impliedByConjuncts,
  impliedByJoin,
  impliedBySetOperation,
  impliedByMembership,
} from './implied-candidates.ts';
import type { Scope, FilterCandidate } from './filter-candidate.ts';

/** For each scan, its filter candidates. */
export type CandidatesOfScans = ReadonlyMap<TableScan, readonly FilterCandidate[]>;

type Candidates = readonly FilterCandidate[];

/** The candidates with their columns under the names that they have below; those without one there are left out. */
function renamed(candidates: Candidates, nameBelow: (id: ColumnId) => ColumnId | null): Candidates {
  return candidates.flatMap((candidate) => {
    const pairs = candidate.pairs.flatMap(({ target, source }) => {
      const below = nameBelow(target);
      return below === null ? [] : [{ target: below, source }];
    });
    return pairs.length === 0 ? [] : [{ ...candidate, pairs }];
  });
}

function only(candidates: Candidates, columns: ReadonlySet<ColumnId>): Candidates {
  return renamed(candidates, (id) => (columns.has(id) ? id : null));
}

type Named = readonly { readonly column: { readonly id: ColumnId }; readonly expression: Expression }[];

/** Below a list of expressions, a column that is just another one is that one. */
function belowNames(candidates: Candidates, list: Named): Candidates {
  const sources = new Map(list.map(({ column, expression }) => [column.id, expression]));
  return renamed(candidates, (id) => {
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
  readonly candidates: Candidates;
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
      const candidates =
        conjunct && expression === root ? impliedByMembership(root, asking, node, scope) : [];
      found.push({ plan, candidates });
    });
  }
  return found;
}

export function findCandidates(root: LogicalPlan): CandidatesOfScans {
  const found = new Map<TableScan, Candidates>();

  const visit = (plan: LogicalPlan, candidates: Candidates, scope: Scope): void => {
    if (expressionsOf(plan).some(containsSubquery)) {
      const frames = framesOf(plan);
      const inside = { ...scope, outer: [...scope.outer, ...frames] };
      for (const subquery of subqueriesOf(plan, frames, scope))
        visit(subquery.plan, subquery.candidates, inside);
    }
    const visitor: PlanVisitor<void> = {
      TableScan: (scan) => {
        const own = only(candidates, producedColumns(scan));
        if (own.length > 0) found.set(scan, own);
      },
      Values: () => undefined,
      CteScan: () => undefined,
      Recursion: ({ base, step }) => {
        visit(base, [], scope);
        visit(step, [], scope);
      },
      RecursionScan: () => undefined,
      Filter: (node) => {
        const own = impliedByConjuncts(node.predicates, node.input, node, scope);
        visit(node.input, [...candidates, ...own], scope);
      },
      Project: (node) => visit(node.input, belowNames(candidates, node.columns), scope),
      Join: (node) => {
        const own = impliedByJoin(node, scope);
        const inner = node.join === 'inner' || node.join === 'cross';
        const toLeft = inner || node.join === 'left' ? only(candidates, producedColumns(node.left)) : [];
        const toRight = inner || node.join === 'right' ? only(candidates, producedColumns(node.right)) : [];
        visit(node.left, [...toLeft, ...own.left], scope);
        const around = node.lateral ? { ...scope, outer: [...scope.outer, node.left] } : scope;
        visit(node.right, [...toRight, ...own.right], around);
      },
      Unnest: (node) => visit(node.input, only(candidates, producedColumns(node.input)), scope),
      Series: () => undefined,
      Aggregate: (node) =>
        visit(node.input, node.groupingSets === null ? belowNames(candidates, node.groupBy) : [], scope),
      Window: (node) => {
        const columns = node.functions.map(
          ({ window }) =>
            new Set(
              window.partitionBy.flatMap((key) => (key.kind === 'ColumnReference' ? [key.column.id] : [])),
            ),
        );
        const below = renamed(candidates, (id) =>
          columns.every((partition) => partition.has(id)) ? id : null,
        );
        visit(node.input, below, scope);
      },
      Distinct: (node) => visit(node.input, node.on === null ? candidates : [], scope),
      SetOperation: (node) => {
        const own = impliedBySetOperation(node, scope);
        for (const side of ['left', 'right'] as const) {
          const columns = outputColumns(node[side]);
          const positions = new Map(node.columns.map(({ id }, i) => [id, columns[i]?.id ?? null]));
          const below = renamed(candidates, (id) => positions.get(id) ?? null);
          visit(node[side], [...below, ...own[side]], scope);
        }
      },
      Sort: (node) => visit(node.input, candidates, scope),
      Limit: (node) => visit(node.input, [], scope),
      With: (node) => {
        // Each CTE sees those before it.
        node.ctes.forEach((cte, i) =>
          visit(cte.plan, [], { ...scope, ctes: [...scope.ctes, ...node.ctes.slice(0, i)] }),
        );
        visit(node.body, candidates, { ...scope, ctes: [...scope.ctes, ...node.ctes] });
      },
    };
    visitPlan(visitor, plan);
  };

  visit(root, [], { outer: [], ctes: [] });
  return found;
}
