/**
 * Says what is wrong with a plan: nothing, unless the binder or a rule of the optimizer has a bug.
 *
 * Every reference must be to a column of the node's input or of an enclosing query, every CTE must be in scope, and
 * what is counted must fit. A column that a node hands through keeps its ID; two columns side by side never share one.
 */
import type { ColumnId, Expression } from './expression.ts';
import { outputColumns } from './output.ts';
import type { LogicalPlan } from './plan.ts';
import { expressionsOf, inputsOf, subqueryOf, visitPlan, walkExpression, type PlanVisitor } from './visit.ts';

interface Surroundings {
  /** Columns of the enclosing queries. */
  readonly outer: ReadonlySet<ColumnId>;
  /** CTEs and, in their steps, recursions that can be named, with their widths. */
  readonly ctes: ReadonlyMap<number, number>;
}

const idsOf = (plan: LogicalPlan): readonly ColumnId[] => outputColumns(plan).map(({ id }) => id);

const union = (a: ReadonlySet<ColumnId>, b: Iterable<ColumnId>): ReadonlySet<ColumnId> =>
  new Set([...a, ...b]);

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Columns that the node's own expressions may use: its inputs'; a scan's hints are over the scan itself. */
function ownColumns(plan: LogicalPlan): readonly ColumnId[] {
  return plan.kind === 'TableScan' ? idsOf(plan) : inputsOf(plan).flatMap(idsOf);
}

/** What only nodes of one kind can have wrong. */
const SPECIFIC: PlanVisitor<readonly (string | false)[]> = {
  TableScan: (plan) => [
    plan.columns.some(({ path }) => path.length === 0) && 'a column without a path',
    plan.limitHint !== null && !isCount(plan.limitHint) && `limitHint ${plan.limitHint}`,
    plan.orderHint.some(({ column }) => !idsOf(plan).includes(column.id)) &&
      'an order by a column that is not read',
  ],
  Values: (plan) => [plan.rows.some((row) => row.length !== plan.columns.length) && 'a row of another width'],
  Filter: (plan) => [plan.predicates.length === 0 && 'no predicate'],
  Project: () => [],
  Join: (plan) => [
    plan.join === 'cross' && plan.on.length > 0 && 'a cross join with a condition',
    plan.lateral && (plan.join === 'right' || plan.join === 'full') && 'a lateral join that keeps the right',
    plan.lateral && plan.join === 'left' && plan.on.length > 0 && 'a condition of an outer lateral join',
  ],
  Unnest: () => [],
  Series: ({ arguments: given }) => [given.length < 2 && 'a series without an end'],
  Aggregate: (plan) => [
    [...(plan.groupingSets ?? []), ...plan.groupings.map(({ of }) => of)]
      .flat()
      .some((position) => !(position in plan.groupBy)) && 'a grouping set outside the group',
  ],
  Window: (plan) => [plan.functions.length === 0 && 'no function'],
  Distinct: () => [],
  SetOperation: (plan) => [
    [plan.left, plan.right].some((side) => idsOf(side).length !== plan.columns.length) &&
      'sides of other widths',
  ],
  Sort: (plan) => [plan.keys.length === 0 && 'no key'],
  Limit: (plan) => [
    plan.count !== null && !isCount(plan.count) && `count ${plan.count}`,
    !isCount(plan.offset) && `offset ${plan.offset}`,
  ],
  With: (plan) => [
    new Set(plan.ctes.map(({ id }) => id)).size < plan.ctes.length && 'a CTE that is there twice',
  ],
  CteScan: () => [],
  Recursion: (plan) => [
    [plan.base, plan.step].some((side) => idsOf(side).length !== plan.columns.length) &&
      'parts of other widths',
  ],
  RecursionScan: () => [],
};

function checkCteScan(plan: LogicalPlan, { ctes }: Surroundings): string | false {
  if (plan.kind !== 'CteScan' && plan.kind !== 'RecursionScan') return false;
  const id = plan.kind === 'CteScan' ? plan.cteId : plan.recursionId;
  const width = ctes.get(id);
  if (width === undefined) return `CTE ${id} is not in scope`;
  return width !== plan.columns.length && `CTE ${id} has ${width} columns`;
}

function checkNode(plan: LogicalPlan, around: Surroundings, problems: string[]): void {
  const report = (problem: string | false): void => {
    if (problem !== false) problems.push(`${plan.kind}: ${problem}`);
  };
  for (const problem of visitPlan(SPECIFIC, plan)) report(problem);
  report(checkCteScan(plan, around));
  const ids = idsOf(plan);
  report(new Set(ids).size < ids.length && `two columns of one ID in ${ids.join(', ')}`);

  const usable = union(around.outer, ownColumns(plan));
  const checkExpression = (root: Expression): void => {
    walkExpression(root, (node) => {
      if (node.kind === 'ColumnReference' && !usable.has(node.column.id)) {
        report(`column ${node.column.name} (${node.column.id}) comes from nowhere`);
      }
      const subquery = subqueryOf(node);
      if (subquery !== null) checkNode(subquery, { ...around, outer: usable }, problems);
    });
  };
  for (const root of expressionsOf(plan)) checkExpression(root);

  if (plan.kind === 'Recursion') {
    checkNode(plan.base, around, problems);
    const ctes = new Map(around.ctes).set(plan.id, plan.columns.length);
    checkNode(plan.step, { ...around, ctes }, problems);
    return;
  }
  if (plan.kind === 'Join' && plan.lateral) {
    checkNode(plan.left, around, problems);
    checkNode(plan.right, { ...around, outer: union(around.outer, idsOf(plan.left)) }, problems);
    return;
  }
  if (plan.kind !== 'With') {
    for (const input of inputsOf(plan)) checkNode(input, around, problems);
    return;
  }
  const ctes = new Map(around.ctes);
  for (const cte of plan.ctes) {
    checkNode(cte.plan, { ...around, ctes: new Map(ctes) }, problems);
    ctes.set(cte.id, idsOf(cte.plan).length);
  }
  checkNode(plan.body, { ...around, ctes }, problems);
}

/** Everything that is wrong with a whole statement's plan, a line each. */
export function problemsOf(plan: LogicalPlan): readonly string[] {
  const problems: string[] = [];
  checkNode(plan, { outer: new Set(), ctes: new Map() }, problems);
  return problems;
}
