/**
 * Where a statement takes values for another kind than they may be: `v + 1`, `YEAR(v)`, `SUM(v)`. What cannot be converted
 * there is NULL, which nobody sees in a sum.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { expression, not } from '../../logical/build-expression.ts';
import type { AggregateCall, Expression } from '../../logical/expression.ts';
import { argumentKind, type FunctionDefinition } from '../../logical/functions/definition.ts';
import { aggregateNamed, scalarNamed } from '../../logical/functions/list.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { childrenOf, expressionsOf, walkDeep } from '../../logical/visit.ts';
import { WANTED, type Wanted } from './wanted.ts';

export interface ConversionSite {
  readonly operand: Expression;
  readonly wanted: Wanted;
  /** What it is added to, or taken from: beside a date or an interval it is wanted as an instant. */
  readonly beside: Expression | null;
  /** Conditions under which it is computed at all, as of a branch of CASE. */
  readonly guards: readonly Expression[];
}

/** Where an expression stands. */
interface Place {
  readonly wanted: Wanted | null;
  readonly beside: Expression | null;
  readonly guards: readonly Expression[];
}

type Visit = (node: Expression, place: Place) => void;

/** Sites of a statement that are looked at; the others are not counted. */
const SITES_MAX = 64;
const GUARDS_MAX = 16;

const isTrue = (operand: Expression): Expression =>
  expression({ kind: 'IsTruth', operand, value: true, negated: false, pos: operand.pos });
const isNotTrue = (operand: Expression): Expression => not(isTrue(operand), operand.pos);

/** Results that are what they are wanted as, or are refused where they are not. */
const PLAIN_RESULTS: ReadonlySet<unknown> = new Set(['text', 'json', 'common']);

/** Whether values of it may be of another kind than is wanted. */
function mayBeOther(node: Expression): boolean {
  switch (node.kind) {
    case 'ColumnReference':
    case 'DocumentAccess':
    case 'Case':
    case 'ScalarSubquery':
      return true;
    case 'Literal':
      return node.value.type === 'text';
    case 'Arithmetic':
      return node.operator === '||';
    case 'Cast':
      return node.sqlType === 'VARCHAR' || node.sqlType === 'JSON';
    case 'FunctionCall': {
      const { result } = scalarNamed(node.name);
      return typeof result === 'object' || PLAIN_RESULTS.has(result);
    }
    default:
      return false;
  }
}

const argumentsOf = (definition: FunctionDefinition, values: readonly Expression[]) =>
  values.map((value, index) => ({ value, wanted: WANTED[argumentKind(definition, index)] }));

/** With a format it reads a text, and says so of one that it cannot read. */
const readsByFormat = (name: string, count: number): boolean => name === 'TO_TIMESTAMP' && count > 1;

function visitCase(node: Extract<Expression, { kind: 'Case' }>, { guards }: Place, visit: Visit): void {
  const { operand, branches, otherwise } = node;
  const before: Expression[] = [];
  const under = (own: readonly Expression[]): Place => ({
    wanted: null,
    beside: null,
    guards: [...guards, ...own].slice(0, GUARDS_MAX),
  });
  for (const { when, then } of branches) {
    const holds =
      operand === null
        ? when
        : expression({ kind: 'Comparison', operator: '=', left: operand, right: when, pos: when.pos });
    visit(when, { ...under(before), wanted: operand === null ? 'condition' : null });
    visit(then, under([...before, isTrue(holds)]));
    before.push(isNotTrue(holds));
  }
  if (operand !== null) visit(operand, under([]));
  if (otherwise !== null) visit(otherwise, under(before));
}

/** The children of a node, each with what it is wanted as. */
function visitChildren(node: Expression, place: Place, visit: Visit): void {
  const { guards } = place;
  const as = (wanted: Wanted | null, beside: Expression | null = null): Place => ({ wanted, beside, guards });
  switch (node.kind) {
    case 'Arithmetic': {
      const wanted = node.operator === '||' ? null : 'number';
      // Intervals are multiplied by numbers.
      const isSum = node.operator === '+' || node.operator === '-';
      visit(node.left, as(wanted, isSum ? node.right : null));
      visit(node.right, as(wanted, isSum ? node.left : null));
      return;
    }
    case 'Negate':
    case 'BitwiseNot':
      visit(node.operand, as('number'));
      return;
    case 'Extract':
      visit(node.operand, as('instant'));
      return;
    case 'Not':
    case 'IsTruth':
      visit(node.operand, as('condition'));
      return;
    case 'And':
    case 'Or':
      for (const operand of node.operands) visit(operand, as('condition'));
      return;
    case 'Case':
      visitCase(node, place, visit);
      return;
    case 'FunctionCall': {
      if (node.name === 'IF') {
        const [when, then, otherwise] = node.arguments as [Expression, Expression, Expression];
        visitCase(
          { kind: 'Case', operand: null, branches: [{ when, then }], otherwise },
          { ...place, wanted: null },
          visit,
        );
        return;
      }
      const isByFormat = readsByFormat(node.name, node.arguments.length);
      for (const { value, wanted } of argumentsOf(scalarNamed(node.name), node.arguments))
        visit(value, as(isByFormat ? null : wanted));
      return;
    }
    default:
      for (const child of childrenOf(node)) visit(child, as(null));
  }
}

/** What an aggregate's or a window's arguments are wanted as. */
function visitCall(call: AggregateCall, visit: Visit): void {
  const guards = call.filter === null ? [] : [isTrue(call.filter)];
  const as = (wanted: Wanted | null): Place => ({ wanted, beside: null, guards });
  const definition = aggregateNamed(call.name);
  for (const { value, wanted } of argumentsOf(definition, call.arguments)) visit(value, as(wanted));
  if (call.filter !== null) visit(call.filter, { wanted: 'condition', beside: null, guards: [] });
  for (const { expression: key } of call.orderBy) visit(key, as(null));
  const ofNumbers = call.name === 'PERCENTILE_CONT' ? 'number' : null;
  for (const { expression: key } of call.withinGroup) visit(key, as(ofNumbers));
}

const NOWHERE: Place = Object.freeze({ wanted: null, beside: null, guards: [] });
const AS_CONDITION: Place = Object.freeze({ ...NOWHERE, wanted: 'condition' });

function visitNode(node: LogicalPlan, visit: Visit): void {
  switch (node.kind) {
    case 'TableScan':
      // A hint: the conditions stand in a Filter above.
      return;
    case 'Filter':
      for (const predicate of node.predicates) visit(predicate, AS_CONDITION);
      return;
    case 'Join':
      for (const predicate of node.on) visit(predicate, AS_CONDITION);
      return;
    case 'Unnest':
      visit(node.list, { ...NOWHERE, wanted: 'list' });
      return;
    case 'Aggregate':
      for (const { expression: key } of node.groupBy) visit(key, NOWHERE);
      for (const { call } of node.aggregates) visitCall(call, visit);
      return;
    case 'Window':
      for (const { call, window } of node.functions) {
        visitCall(call, visit);
        for (const key of [...window.partitionBy, ...window.orderBy.map((each) => each.expression)])
          visit(key, NOWHERE);
      }
      return;
    default:
      for (const root of expressionsOf(node)) visit(root, NOWHERE);
  }
}

function visiting(sites: ConversionSite[]): Visit {
  const visit: Visit = (node, place) => {
    const { wanted, beside, guards } = place;
    if (sites.length >= SITES_MAX) return;
    if (wanted !== null && mayBeOther(node))
      sites.push(Object.freeze({ operand: node, wanted, beside, guards }));
    visitChildren(node, place, visit);
  };
  return visit;
}

/** The sites in one condition. */
export const sitesOfCondition: (condition: Expression) => readonly ConversionSite[] = remembered(
  (condition) => {
    const sites: ConversionSite[] = [];
    visiting(sites)(condition, AS_CONDITION);
    return sites;
  },
);

/** The sites of a whole plan, subqueries included. */
export const conversionSites: (plan: LogicalPlan) => readonly ConversionSite[] = remembered((plan) => {
  const sites: ConversionSite[] = [];
  const visit = visiting(sites);
  walkDeep(plan, { plan: (node) => visitNode(node, visit) });
  return sites;
});
