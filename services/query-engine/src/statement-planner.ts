/** From a statement that was read to its plan: bind, fold constants, optimize, plan; each answer kept for the next asker. */
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import type { WorkSpan } from '@penstock/common/telemetry/spans.ts';
import { bind } from './binder/bind.ts';
import { parameterKeys, type Parameters } from './binder/parameters.ts';
import type { TableName } from './binder/table-names.ts';
import type { CatalogTable } from './catalog/table.ts';
import type { Resolved } from './clients/catalog.ts';
import {
  boundAt,
  foldStatement,
  optimizedAt,
  slotsAt,
  type Evaluate,
  type FoldedStatement,
  type OptimizedStatement,
  type TimeSlots,
} from './fold-statement.ts';
import type { BoundStatement } from './logical/plan.ts';
import type { StatementTime } from './logical/statement-time.ts';
import { findConstants, type FoundConstants } from './optimizer/constants/find-constants.ts';
import { foldConstants } from './optimizer/constants/fold-constants.ts';
import { chooseInlining } from './planning/choose-inlining.ts';
import { parametersAsKeys, type KeyParameter } from './planning/generic/parameters-as-keys.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';
import { planQuery, type PlanOptions } from './planning/plan-query.ts';
import type { StatementRequest } from './prepare.ts';
import type { RunSliced, Sliced } from './scheduling/sliced-work.ts';
import type { Parsed, StatementCaches } from './statement-caches.ts';
import type { InTurn, PrepareCall } from './statement-reader.ts';
import { tableFinder } from './table-finder.ts';

export interface StatementPlannerOptions {
  readonly kept: Pick<StatementCaches, 'optimized' | 'plans' | 'generics'>;
  readonly inTurn: InTurn;
  readonly pushdown: boolean;
  readonly planOptions: (request: StatementRequest) => PlanOptions;
  readonly onLookup: (cache: 'optimized' | 'plan', hit: boolean) => void;
}

/** What is to be planned, and for whom. */
export interface PlanAsked {
  readonly request: StatementRequest;
  readonly statement: Parsed;
  readonly parameters: Parameters;
  readonly resolved: readonly Resolved[];
  readonly call: PrepareCall;
  readonly span: WorkSpan;
  /** Absent: constants are not evaluated. */
  readonly evaluate: Evaluate | undefined;
  /** Of the statement: asked where it reads the clock. */
  readonly time: () => Promise<StatementTime>;
}

/** A statement as generic plans know it: what plans have places for is apart. */
interface GenericStatement {
  readonly text: string;
  readonly keys: () => readonly KeyParameter[] | null;
  /** Those of its parameters; or those in its text, where it has none. */
  readonly values: Parameters;
}

function genericStatement(sql: string, statement: Parsed, parameters: Parameters): GenericStatement {
  const { keyValues } = statement;
  if (keyValues !== null && parameterKeys(parameters).length === 0)
    return { text: `values ${keyValues.key}`, keys: () => keyValues.keys, values: keyValues.parameters };
  return { text: `text ${sql}`, keys: () => parametersAsKeys(statement.query), values: parameters };
}

/** Behind keys of what was made without the values of its constants. */
const UNFOLDED = ' unfolded';

const valuesKeyOf = (slots: TimeSlots | null): string | null =>
  slots === null ? null : JSON.stringify(slots.values);

/** A statement whose constants have to be evaluated, which nobody waits for in a turn. */
interface Unevaluated {
  readonly bound: BoundStatement;
  readonly found: FoundConstants;
}

export function createStatementPlanner(
  options: StatementPlannerOptions,
): (asked: PlanAsked) => Promise<PhysicalPlan> {
  const { inTurn, pushdown, planOptions, onLookup } = options;
  const { optimized, plans, generics } = options.kept;

  const bindStatement = function* (
    { request: { sql, withOthers = false, rules }, statement, parameters }: PlanAsked,
    find: (name: TableName) => CatalogTable,
  ): Sliced<Unevaluated> {
    const bound = bind(statement.query, { sql, tables: find, parameters, withOthers, rules });
    yield;
    return { bound, found: findConstants(bound.plan) };
  };

  /** Every page of a statement has the same; each has reads of its own. */
  const optimizeFolded = function* (
    { statement, slots }: FoldedStatement,
    request: StatementRequest,
  ): Sliced<OptimizedStatement> {
    const made = yield* chooseInlining(
      statement,
      { rowsWanted: request.maxRows, pushdown },
      planOptions({ ...request, firstRowIdx: 0 }),
    );
    return { statement: made, slots };
  };

  const planned = async (asked: PlanAsked): Promise<PhysicalPlan> => {
    const { request, statement, parameters, resolved, call, span, evaluate, time } = asked;
    const { find, versions } = tableFinder(request, statement.tables, resolved);
    const { mayRead, firstRowIdx, parametersJson, ...asks } = request;
    const statementKey = JSON.stringify([call.tenantId, asks, versions]);
    const key = `${statementKey} ${parametersJson}`;
    const pageKey = `${firstRowIdx} ${key}`;
    const unfolded = evaluate === undefined ? UNFOLDED : null;
    const known = optimized.get(key) ?? (unfolded === null ? undefined : optimized.get(key + unfolded));
    onLookup('optimized', known !== undefined);
    const slots =
      known?.slots == null || evaluate === undefined
        ? (known?.slots ?? null)
        : await slotsAt(known.slots, await time(), evaluate);
    const valuesKey = valuesKeyOf(slots);
    const keptPlan = (of: string): PhysicalPlan | undefined => {
      const kept = plans.get(of);
      return kept?.slotValues === valuesKey ? kept?.plan : undefined;
    };
    const { text, keys, values } = genericStatement(request.sql, statement, parameters);
    const genericKey = JSON.stringify([firstRowIdx, call.tenantId, { ...asks, sql: text }, versions]);
    const knownPlan =
      keptPlan(pageKey) ??
      (unfolded === null ? undefined : keptPlan(pageKey + unfolded)) ??
      // What EXPLAIN shows of a plan is not in a generic one.
      (mayRead ? generics.planFor(genericKey, values) : undefined);
    onLookup('plan', knownPlan !== undefined);
    span.add({ [ATTRIBUTES.planCached]: knownPlan !== undefined });
    if (knownPlan !== undefined) return knownPlan;

    const finish = async (
      inSlices: RunSliced,
      folded: OptimizedStatement | FoldedStatement,
      isNew: boolean,
    ) => {
      const made = isNew ? await inSlices(optimizeFolded(folded, request)) : folded;
      const isUnfolded = 'isUnfolded' in folded && folded.isUnfolded === true;
      const behind = isUnfolded ? UNFOLDED : '';
      optimized.set(key + behind, isUnfolded ? { ...made, isUnfolded } : made);
      const plan = await inSlices(planQuery(made.statement, planOptions(request)));
      plans.set(pageKey + behind, { plan, slotValues: valuesKeyOf(made.slots) });
      if (made.slots === null && !isUnfolded) generics.learn(genericKey, keys, values, plan);
      return plan;
    };

    const begun = await inTurn(call, async (inSlices): Promise<PhysicalPlan | Unevaluated> => {
      // Another call may have been there first.
      const plan = keptPlan(pageKey);
      if (plan !== undefined) return plan;
      const there = known ?? optimized.get(key);
      if (there !== undefined && slots !== null) {
        const at = optimizedAt(there, slots);
        return at === null ? finish(inSlices, boundAt(slots), true) : finish(inSlices, at, false);
      }
      if (there !== undefined && there.slots === null) return finish(inSlices, there, false);
      const { bound, found } = await inSlices(bindStatement(asked, find));
      if (found.unknown.length > 0 && evaluate !== undefined) return { bound, found };
      const folded = { statement: foldConstants(bound, found.known), slots: null };
      return finish(inSlices, found.unknown.length > 0 ? { ...folded, isUnfolded: true } : folded, true);
    });
    if (!('found' in begun)) return begun;
    if (evaluate === undefined) throw new Error('constants have to be evaluated, and nobody can');
    const folded = await foldStatement(begun.bound, begun.found, evaluate, time);
    return inTurn(call, (inSlices) => finish(inSlices, folded, true));
  };

  return async (asked) => {
    const plan = await planned(asked);
    return plan.statement.readsClock === true ? { ...plan, time: await asked.time() } : plan;
  };
}
