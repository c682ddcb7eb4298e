/**
 * Every node hands up only the columns that are used above it, so that scans read no others. None at all is fine: only
 * how many rows there are may matter.
 */
import { columnReference } from '../../logical/build-expression.ts';
import { project } from '../../logical/build-plan.ts';
import type { Column, ColumnId, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type {
  Aggregate,
  LogicalPlan,
  Project,
  SetOperation,
  Values,
  Window,
  With,
} from '../../logical/plan.ts';
import { referencesInPlan } from '../../logical/references.ts';
import {
  expressionsOf,
  mapExpressions,
  transformExpression,
  transformPlan,
  visitPlan,
  withFields,
} from '../../logical/visit.ts';
import { producedColumns, usedColumns } from '../column-use.ts';
import { sameElements } from '../conjuncts.ts';
import type { Rule } from '../rule.ts';

type Needed = ReadonlySet<ColumnId>;

/** The elements that pass; the same list when all do. */
function keep<T>(list: readonly T[], passes: (element: T, position: number) => boolean): readonly T[] {
  const kept = list.filter(passes);
  return kept.length === list.length ? list : Object.freeze(kept);
}

/** The plan with exactly these columns, in this order. */
function exactly(plan: LogicalPlan, columns: readonly Column[]): LogicalPlan {
  const ids = outputColumns(plan).map(({ id }) => id);
  if (
    sameElements(
      ids,
      columns.map(({ id }) => id),
    )
  )
    return plan;
  return project(
    plan,
    columns.map((column) => Object.freeze({ column, expression: columnReference(column) })),
  );
}

/** One statement's pruning: it learns which columns of each CTE are used before it comes to the CTE. */
class Pruning {
  /** Positions used of each CTE. */
  readonly #cteColumns = new Map<number, Set<number>>();

  statement(plan: LogicalPlan): LogicalPlan {
    const pruned = this.#prune(plan, producedColumns(plan));
    return transformPlan(pruned, (node) => {
      if (node.kind !== 'CteScan') return node;
      const used = this.#cteColumns.get(node.cteId);
      return withFields(node, { columns: keep(node.columns, (_, i) => used?.has(i) ?? false) });
    });
  }

  /** Prunes below `plan`, of whose columns only the needed ones have to remain. */
  #prune(plan: LogicalPlan, needed: Needed): LogicalPlan {
    return visitPlan<LogicalPlan>(
      {
        TableScan: (node) => {
          const used = this.#with(needed, node.filter);
          return withFields(node, { columns: keep(node.columns, ({ id }) => used.has(id)) });
        },
        Values: (node) => this.#values(node, needed),
        Filter: (node) => this.#overInput(node, needed),
        Project: (node) => this.#project(node, needed),
        Join: (node) => {
          const own = this.#subqueries(node);
          const named = own.lateral ? referencesInPlan(own.right) : [];
          const used = new Set([...this.#with(needed, own.on), ...named]);
          return withFields(own, {
            left: this.#prune(own.left, used),
            right: this.#prune(own.right, used),
          });
        },
        Unnest: (node) => {
          // Places cost as much as elements.
          const counted = node.ordinality !== null && needed.has(node.ordinality.id);
          return this.#overInput(counted ? node : withFields(node, { ordinality: null }), needed);
        },
        Series: (node) => this.#subqueries(node),
        Aggregate: (node) => this.#aggregate(node, needed),
        Window: (node) => this.#window(node, needed),
        Distinct: (node) => this.#overInput(node, node.on === null ? producedColumns(node.input) : needed),
        SetOperation: (node) => this.#setOperation(node, needed),
        Sort: (node) => this.#overInput(node, needed),
        Limit: (node) => this.#overInput(node, needed),
        With: (node) => this.#ctes(node, needed),
        CteScan: (node) => {
          const used = this.#cteColumns.get(node.cteId) ?? new Set<number>();
          this.#cteColumns.set(node.cteId, used);
          node.columns.forEach(({ id }, i) => void (needed.has(id) && used.add(i)));
          return node;
        },
        // Each column may decide what the next step makes.
        Recursion: (node) =>
          withFields(node, {
            base: this.#prune(node.base, producedColumns(node.base)),
            step: this.#prune(node.step, producedColumns(node.step)),
          }),
        RecursionScan: (node) => node,
      },
      plan,
    );
  }

  #with(needed: Needed, expressions: readonly Expression[]): Needed {
    return new Set([...needed, ...expressions.flatMap((expression) => [...usedColumns(expression)])]);
  }

  /** The node with the subqueries in its expressions pruned. Of EXISTS no column is needed, of others all. */
  #subqueries<Node extends LogicalPlan>(node: Node): Node {
    const all = (plan: LogicalPlan): LogicalPlan => this.#prune(plan, producedColumns(plan));
    const pruneIn = (root: Expression): Expression =>
      transformExpression(root, (expression) => {
        if (!('plan' in expression)) return expression;
        if (expression.kind === 'Exists')
          return withFields(expression, { plan: this.#prune(expression.plan, new Set()) });
        return withFields(expression, { plan: all(expression.plan) });
      });
    return mapExpressions(node, pruneIn) as Node;
  }

  /** Filter, Sort, Limit, Distinct: they hand up what they are given. */
  #overInput<Node extends Extract<LogicalPlan, { readonly input: LogicalPlan }>>(
    node: Node,
    needed: Needed,
  ): LogicalPlan {
    const own = this.#subqueries<LogicalPlan & { readonly input: LogicalPlan }>(node);
    return withFields(own, { input: this.#prune(own.input, this.#with(needed, expressionsOf(own))) });
  }

  #values(node: Values, needed: Needed): LogicalPlan {
    const used = node.columns.map(({ id }) => needed.has(id));
    if (used.every(Boolean)) return this.#subqueries(node);
    return this.#subqueries(
      withFields(node, {
        columns: keep(node.columns, (_, i) => used[i] === true),
        rows: Object.freeze(node.rows.map((row) => keep(row, (_, i) => used[i] === true))),
      }),
    );
  }

  #project(node: Project, needed: Needed): LogicalPlan {
    return this.#overInput(
      withFields(node, { columns: keep(node.columns, ({ column }) => needed.has(column.id)) }),
      new Set(),
    );
  }

  /** Group columns stay: they decide which groups there are. */
  #aggregate(node: Aggregate, needed: Needed): LogicalPlan {
    return this.#overInput(
      withFields(node, {
        aggregates: keep(node.aggregates, ({ column }) => needed.has(column.id)),
        groupings: keep(node.groupings, ({ column }) => needed.has(column.id)),
      }),
      new Set(),
    );
  }

  #window(node: Window, needed: Needed): LogicalPlan {
    const functions = keep(node.functions, ({ column }) => needed.has(column.id));
    if (functions.length === 0) return this.#prune(node.input, needed);
    return this.#overInput(withFields(node, { functions }), needed);
  }

  /** Only UNION ALL may lose columns: the others compare whole rows. It keeps one, for a SELECT list has to have one. */
  #setOperation(node: SetOperation, needed: Needed): LogicalPlan {
    const prunable = node.operator === 'union' && node.all;
    const some = node.columns.some(({ id }) => needed.has(id));
    const used = node.columns.map(({ id }, i) => !prunable || (some ? needed.has(id) : i === 0));
    const side = (plan: LogicalPlan): LogicalPlan => {
      const columns = outputColumns(plan).filter((_, i) => used[i] === true);
      return exactly(this.#prune(plan, new Set(columns.map(({ id }) => id))), columns);
    };
    return withFields(node, {
      left: side(node.left),
      right: side(node.right),
      columns: keep(node.columns, (_, i) => used[i] === true),
    });
  }

  /** From the body backwards: a CTE is used by what follows it. */
  #ctes(node: With, needed: Needed): LogicalPlan {
    const body = this.#prune(node.body, needed);
    const ctes = node.ctes.toReversed().map((cte) => {
      const used = this.#cteColumns.get(cte.id) ?? new Set<number>();
      const columns = outputColumns(cte.plan).filter((_, i) => used.has(i));
      const plan = exactly(this.#prune(cte.plan, new Set(columns.map(({ id }) => id))), columns);
      return withFields(cte, { plan });
    });
    const kept = ctes.toReversed();
    return withFields(node, { body, ctes: sameElements(kept, node.ctes) ? node.ctes : Object.freeze(kept) });
  }
}

export const pruneColumns: Rule = Object.freeze({
  name: 'prune-columns',
  apply: (plan: LogicalPlan) => new Pruning().statement(plan),
});
