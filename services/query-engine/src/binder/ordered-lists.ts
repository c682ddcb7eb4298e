/** Lists that the statement gives no order, `json_agg(x)`, in the order of the rows that they are made of. */
import type { AggregateCall, Column } from '../logical/expression.ts';
import { aggregateNamed } from '../logical/functions/list.ts';
import { outputColumns } from '../logical/output.ts';
import type { Aggregate, Cte, LogicalPlan } from '../logical/plan.ts';
import { mapList, mapPlansBelow, walkDeep, withFields } from '../logical/visit.ts';
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
  const walk = (plan: LogicalPlan): LogicalPlan => {
    if (plan.kind === 'With') {
      const ctes = mapList(plan.ctes, (cte) =>
        withFields(cte, { plan: walk(asked.get(cte.id)?.plan ?? cte.plan) }),
      );
      return withFields(plan, { ctes, body: walk(plan.body) });
    }
    const rows = plan.kind === 'CteScan' ? asked.get(plan.cteId) : undefined;
    if (plan.kind !== 'CteScan' || rows === undefined) return mapPlansBelow(plan, walk);
    const more = outputColumns(rows.plan).slice(plan.columns.length);
    const columns: readonly Column[] = [...plan.columns, ...more.map(({ name }) => newColumn(name))];
    return withFields(plan, more.length === 0 ? {} : { columns: Object.freeze(columns) });
  };
  return walk(root);
}

/** The plan, with all of its lists that have no order of their own in that of their rows, where these have one. */
export function orderLists(root: LogicalPlan, newColumn: OrderContext['newColumn']): LogicalPlan {
  if (!hasSuchLists(root)) return root;
  const plans = new Map<number, LogicalPlan>();
  const known = new Map<number, OrderedRows>();
  const ofCte = (id: number): OrderedRows | undefined => {
    const plan = plans.get(id);
    if (plan !== undefined && !known.has(id)) known.set(id, orderedRows(plan, context));
    return known.get(id);
  };
  const context: OrderContext = { newColumn, ofCte };
  const walk = (plan: LogicalPlan): LogicalPlan => {
    if (plan.kind === 'With') {
      // CTEs come before what names them.
      const ctes = mapList(plan.ctes, (cte: Cte): Cte => {
        const made = walk(cte.plan);
        plans.set(cte.id, made);
        return withFields(cte, { plan: made });
      });
      return withFields(plan, { ctes, body: walk(plan.body) });
    }
    const inner = mapPlansBelow(plan, walk);
    return hasUnordered(inner) ? inRowOrder(inner, context) : inner;
  };
  const ordered = walk(root);
  const asked = new Map([...known].filter(([, { keys }]) => keys.length > 0));
  return asked.size === 0 ? ordered : withHiddenColumns(ordered, asked, newColumn);
}
