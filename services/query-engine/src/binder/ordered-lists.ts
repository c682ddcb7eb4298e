/** Lists that the statement gives no order, `json_agg(x)`, in the order of the rows that they are made of. */
import type { AggregateCall, Column, Expression } from '../logical/expression.ts';
import { aggregateNamed } from '../logical/functions/list.ts';
import { outputColumns } from '../logical/output.ts';
import type { Aggregate, Cte, LogicalPlan } from '../logical/plan.ts';
import {
  mapChildren,
  mapExpressions,
  mapInputs,
  mapList,
  transformPlan,
  walkDeep,
  withFields,
} from '../logical/visit.ts';
import { type OrderContext, orderedRows, type OrderedRows } from './row-order.ts';

const isUnordered = (call: AggregateCall): boolean =>
  aggregateNamed(call.name).ties === 'list' && !call.distinct && call.orderBy.length === 0;

const hasUnordered = (node: LogicalPlan): node is Aggregate =>
  node.kind === 'Aggregate' && node.aggregates.some(({ call }) => isUnordered(call));

function hasSuchLists(root: LogicalPlan): boolean {
  let found = false;
  walkDeep(root, { plan: (node) => (found ||= hasUnordered(node)) });
  return found;
}

/** The lists of an aggregate, sorted by what its rows are ordered by. */
function inRowOrder(node: Aggregate, context: OrderContext): Aggregate {
  const { plan: input, keys } = orderedRows(node.input, context);
  if (keys.length === 0) return node;
  const aggregates = mapList(node.aggregates, (entry) =>
    isUnordered(entry.call)
      ? withFields(entry, { call: withFields(entry.call, { orderBy: Object.freeze(keys) }) })
      : entry,
  );
  return withFields(node, { input, aggregates });
}

/** CTEs that were asked for their order: each has its hidden columns, and so has each use. */
function withHiddenColumns(
  root: LogicalPlan,
  asked: ReadonlyMap<number, OrderedRows>,
  newColumn: OrderContext['newColumn'],
): LogicalPlan {
  const hidden = (cte: Cte): Cte => {
    const rows = asked.get(cte.id);
    return rows === undefined ? cte : withFields(cte, { plan: intoPlan(rows.plan) });
  };
  const intoPlan = (plan: LogicalPlan): LogicalPlan =>
    transformPlan(plan, (node) => {
      if (node.kind === 'With') return withFields(node, { ctes: mapList(node.ctes, hidden) });
      const rows = node.kind === 'CteScan' ? asked.get(node.cteId) : undefined;
      if (node.kind !== 'CteScan' || rows === undefined) return node;
      const more = outputColumns(rows.plan).slice(node.columns.length);
      const columns: readonly Column[] = [...node.columns, ...more.map(({ name }) => newColumn(name))];
      return withFields(node, more.length === 0 ? {} : { columns: Object.freeze(columns) });
    });
  return intoPlan(root);
}

/** The plan, with all of its lists that have no order of their own in that of their rows, where these have one. */
export function orderLists(root: LogicalPlan, newColumn: OrderContext['newColumn']): LogicalPlan {
  if (!hasSuchLists(root)) return root;
  const ctes = new Map<number, LogicalPlan>();
  const asked = new Map<number, OrderedRows>();
  const ofCte: OrderContext['ofCte'] = (id) => {
    const known = asked.get(id);
    if (known !== undefined) return known;
    const plan = ctes.get(id);
    const rows = plan === undefined ? null : orderedRows(plan, context);
    if (rows === null || rows.keys.length === 0) return null;
    asked.set(id, rows);
    return rows;
  };
  const context: OrderContext = { newColumn, ofCte };
  const intoExpression = (node: Expression): Expression => mapChildren(node, intoExpression, intoPlan);
  const intoCte = (cte: Cte): Cte => {
    const plan = intoPlan(cte.plan);
    ctes.set(cte.id, plan);
    return withFields(cte, { plan });
  };
  const intoPlan = (plan: LogicalPlan): LogicalPlan => {
    // CTEs come before what names them.
    const named = plan.kind === 'With' ? withFields(plan, { ctes: mapList(plan.ctes, intoCte) }) : plan;
    const inner =
      named.kind === 'With'
        ? withFields(named, { body: intoPlan(named.body) })
        : mapInputs(mapExpressions(named, intoExpression), intoPlan);
    return hasUnordered(inner) ? inRowOrder(inner, context) : inner;
  };
  const ordered = intoPlan(root);
  return asked.size === 0 ? ordered : withHiddenColumns(ordered, asked, newColumn);
}
