/**
 * A step into a map or list that a derived table or CTE hands on, `q.address.city`, is read from the item itself: it gets
 * a type of its own, by the values that are there, so that its numbers stay exact; and conditions on it reach the read.
 */
import { columnReference, expression } from '../../logical/build-expression.ts';
import { project } from '../../logical/build-plan.ts';
import type { Column, ColumnId, DocumentStep, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type {
  Aggregate,
  CteScan,
  LogicalPlan,
  Project,
  SetOperation,
  TableScan,
} from '../../logical/plan.ts';
import {
  inputsOf,
  mapExpressions,
  mapInputs,
  transformExpression,
  transformPlan,
  transformPlanExpressions,
  walkDeep,
  withFields,
} from '../../logical/visit.ts';
import { producedColumns } from '../column-use.ts';
import { sameElements } from '../conjuncts.ts';
import type { Rule } from '../rule.ts';

type Path = readonly DocumentStep[];

/** A plan whose rows have one column more, and that column. */
interface Widened {
  readonly plan: LogicalPlan;
  readonly column: Column;
}

const samePath = (a: Path, b: Path): boolean => a.length === b.length && a.every((step, i) => step === b[i]);

/** The column and path that an expression selects, its own steps first. */
function selected(node: Expression, path: Path): { readonly id: ColumnId; readonly path: Path } | null {
  if (node.kind === 'ColumnReference') return { id: node.column.id, path };
  if (node.kind === 'DocumentAccess') return selected(node.operand, [...node.path, ...path]);
  return null;
}

const nameOf = (path: Path): string => path.map((step) => `.${step}`).join('');

/** One statement's rewriting: new columns get the IDs that follow those in use. */
class Paths {
  #lastId = 0;
  /** Each CTE as it is so far: with its own steps read, and further columns at its end for its uses. */
  readonly #ctes = new Map<number, LogicalPlan>();
  readonly #widenedCtes = new Set<number>();

  statement(plan: LogicalPlan): LogicalPlan {
    let found = false;
    walkDeep(plan, {
      plan: (node) => {
        for (const { id } of outputColumns(node)) this.#lastId = Math.max(this.#lastId, id);
      },
      expression: (node) => {
        found ||= node.kind === 'DocumentAccess' && node.operand.kind === 'ColumnReference';
      },
    });
    if (!found) return plan;
    const widened = this.#plan(plan);
    if (this.#widenedCtes.size === 0) return widened;
    return transformPlan(widened, (node) =>
      node.kind === 'CteScan' && this.#widenedCtes.has(node.cteId) ? this.#padded(node) : node,
    );
  }

  #newColumn(name: string): Column {
    return Object.freeze({ id: ++this.#lastId, name });
  }

  #plan(plan: LogicalPlan): LogicalPlan {
    const into = (below: LogicalPlan): LogicalPlan => this.#plan(below);
    if (plan.kind === 'With') {
      for (const cte of plan.ctes) this.#ctes.set(cte.id, into(cte.plan));
      const body = into(plan.body);
      const ctes = plan.ctes.map((cte) => withFields(cte, { plan: this.#ctes.get(cte.id) ?? cte.plan }));
      return withFields(plan, {
        body,
        ctes: sameElements(ctes, plan.ctes) ? plan.ctes : Object.freeze(ctes),
      });
    }
    const below = mapExpressions(mapInputs(plan, into), (root) =>
      transformExpression(root, (node) => node, into),
    );
    return this.#node(below);
  }

  /** The use of a CTE with all the columns that the CTE has by now. */
  #padded(scan: CteScan): CteScan {
    const plan = this.#ctes.get(scan.cteId);
    const added = plan === undefined ? [] : outputColumns(plan).slice(scan.columns.length);
    if (added.length === 0) return scan;
    const columns = [...scan.columns, ...added.map(({ name }) => this.#newColumn(name))];
    return withFields(scan, { columns: Object.freeze(columns) });
  }

  #cteScan(scan: CteScan, id: ColumnId, path: Path): Widened | null {
    const plan = this.#ctes.get(scan.cteId);
    const position = scan.columns.findIndex((column) => column.id === id);
    const base = plan === undefined ? undefined : outputColumns(plan)[position];
    if (plan === undefined || base === undefined) return null;
    const below = this.#widen(plan, base.id, path);
    if (below === null) return null;
    const before = outputColumns(plan);
    const known = before.findIndex((column) => column.id === below.column.id);
    if (known < 0) {
      const value = columnReference(below.column);
      this.#ctes.set(scan.cteId, appended(below.plan, before, below.column, value));
      this.#widenedCtes.add(scan.cteId);
    }
    const padded = this.#padded(scan);
    const column = padded.columns[known < 0 ? before.length : known];
    return column === undefined ? null : { plan: padded, column };
  }

  /** The node with the steps in its own expressions read further down, where that can be. */
  #node(node: LogicalPlan): LogicalPlan {
    let widened = node;
    const known = new Map<string, Column | null>();
    const provide = (id: ColumnId, path: Path): Column | null => {
      const key = JSON.stringify([id, path]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const input = inputsOf(widened).find((below) => producedColumns(below).has(id));
      const found = input === undefined || node.kind === 'With' ? null : this.#widen(input, id, path);
      if (found !== null) widened = mapInputs(widened, (below) => (below === input ? found.plan : below));
      known.set(key, found?.column ?? null);
      return found?.column ?? null;
    };
    const replace = (inner: Expression): Expression => {
      if (inner.kind !== 'DocumentAccess') return inner;
      const source = selected(inner, []);
      const column = source === null ? null : provide(source.id, source.path);
      return column === null ? inner : columnReference(column, inner.pos);
    };
    // In subqueries too: they may refer to columns of this node's input.
    const rewritten = mapExpressions(node, (root) =>
      transformExpression(root, replace, (subquery) => transformPlanExpressions(subquery, replace)),
    );
    if (widened === node) return node;
    const inputs = inputsOf(widened);
    let next = 0;
    return exactly(
      mapInputs(rewritten, (below) => inputs[next++] ?? below),
      outputColumns(node),
    );
  }

  /** The plan with a column for what lies at the path below one of its columns; null where no scan can read it. */
  #widen(plan: LogicalPlan, id: ColumnId, path: Path): Widened | null {
    switch (plan.kind) {
      case 'TableScan':
        return this.#scan(plan, id, path);
      case 'Project':
        return this.#project(plan, id, path);
      case 'Aggregate':
        return this.#aggregate(plan, id, path);
      case 'SetOperation':
        return this.#union(plan, id, path);
      case 'Filter':
      case 'Sort':
      case 'Limit':
      case 'Window':
      case 'Distinct':
      case 'Unnest':
      case 'Join': {
        const input = inputsOf(plan).find((below) => producedColumns(below).has(id));
        const found = input === undefined ? null : this.#widen(input, id, path);
        if (found === null) return null;
        return { ...found, plan: mapInputs(plan, (below) => (below === input ? found.plan : below)) };
      }
      case 'CteScan':
        return this.#cteScan(plan, id, path);
      case 'With': {
        const found = this.#widen(plan.body, id, path);
        return found === null ? null : { ...found, plan: withFields(plan, { body: found.plan }) };
      }
      case 'Values':
      case 'Recursion':
      case 'RecursionScan':
      case 'Series':
        return null;
    }
  }

  #scan(scan: TableScan, id: ColumnId, path: Path): Widened | null {
    const base = scan.columns.find((column) => column.id === id);
    if (base === undefined) return null;
    const whole = Object.freeze([...base.path, ...path]);
    const known = scan.columns.find((column) => samePath(column.path, whole));
    if (known !== undefined) return { plan: scan, column: known };
    const column = Object.freeze({ ...this.#newColumn(base.name + nameOf(path)), path: whole });
    return { plan: withFields(scan, { columns: Object.freeze([...scan.columns, column]) }), column };
  }

  #project(node: Project, id: ColumnId, path: Path): Widened | null {
    const entry = node.columns.find(({ column }) => column.id === id);
    const source = entry === undefined ? null : selected(entry.expression, path);
    const below = source === null ? null : this.#widen(node.input, source.id, source.path);
    if (below === null) return null;
    const known = node.columns.find(
      ({ expression: other }) => other.kind === 'ColumnReference' && other.column.id === below.column.id,
    );
    if (known !== undefined) return { plan: node, column: known.column };
    const added = Object.freeze({ column: below.column, expression: columnReference(below.column) });
    const columns = Object.freeze([...node.columns, added]);
    return { plan: withFields(node, { input: below.plan, columns }), column: below.column };
  }

  /** What lies below a group column is the same in all rows of a group. */
  #aggregate(node: Aggregate, id: ColumnId, path: Path): Widened | null {
    if (node.groupingSets !== null) return null;
    const entry = node.groupBy.find(({ column }) => column.id === id);
    const source = entry === undefined ? null : selected(entry.expression, path);
    const below = source === null ? null : this.#widen(node.input, source.id, source.path);
    if (below === null) return null;
    const column = this.#newColumn(below.column.name);
    const added = Object.freeze({ column, expression: columnReference(below.column) });
    const groupBy = Object.freeze([...node.groupBy, added]);
    return { plan: withFields(node, { input: below.plan, groupBy }), column };
  }

  /** Of equal rows what lies below a column is equal too, so that UNION still leaves out the same ones. */
  #union(node: SetOperation, id: ColumnId, path: Path): Widened | null {
    const position = node.columns.findIndex((column) => column.id === id);
    if (node.operator !== 'union' || position < 0) return null;
    const sides = [node.left, node.right].map((side) => {
      const base = outputColumns(side)[position];
      if (base === undefined) return null;
      const below = this.#widen(side, base.id, path);
      const columns = outputColumns(side);
      if (below !== null) {
        // A column that is there already needs an ID of its own at its second place.
        const column = columns.some((other) => other.id === below.column.id)
          ? this.#newColumn(below.column.name)
          : below.column;
        return { found: true, plan: appended(below.plan, columns, column, columnReference(below.column)) };
      }
      const column = this.#newColumn(base.name + nameOf(path));
      const step = expression({ kind: 'DocumentAccess', operand: columnReference(base), path });
      return { found: false, plan: appended(side, columns, column, step) };
    });
    const [left, right] = sides;
    if (left == null || right == null || !(left.found || right.found)) return null;
    const column = this.#newColumn(`${node.columns[position]?.name ?? ''}${nameOf(path)}`);
    const columns = Object.freeze([...node.columns, column]);
    return { plan: withFields(node, { left: left.plan, right: right.plan, columns }), column };
  }
}

/** The plan's columns, and one more behind them. */
function appended(
  plan: LogicalPlan,
  columns: readonly Column[],
  column: Column,
  value: Expression,
): LogicalPlan {
  const handedOn = columns.map((own) => Object.freeze({ column: own, expression: columnReference(own) }));
  return project(plan, Object.freeze([...handedOn, Object.freeze({ column, expression: value })]));
}

/** The plan with just these columns. */
function exactly(plan: LogicalPlan, columns: readonly Column[]): LogicalPlan {
  const ids = (of: readonly Column[]): readonly number[] => of.map(({ id }) => id);
  if (sameElements(ids(outputColumns(plan)), ids(columns))) return plan;
  return project(
    plan,
    Object.freeze(columns.map((column) => Object.freeze({ column, expression: columnReference(column) }))),
  );
}

export const readPathsInScans: Rule = Object.freeze({
  name: 'read-paths-in-scans',
  apply: (plan: LogicalPlan) => new Paths().statement(plan),
});
