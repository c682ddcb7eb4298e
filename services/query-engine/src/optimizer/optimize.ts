/**
 * Rewrites a bound statement so that its reads are told as much as possible: which columns, which conjuncts, how many
 * rows, in what order. The rows stay the same.
 */
import { outputColumns } from '../logical/output.ts';
import type { BoundStatement, LogicalPlan } from '../logical/plan.ts';
import { sameElements } from './conjuncts.ts';
import { ROUNDS_MAX } from './limits.ts';
import type { Rule } from './rule.ts';
import { detectContradictions } from './rules/detect-contradictions.ts';
import { implyNotNull } from './rules/imply-not-null.ts';
import { inlineSingleUseCtes } from './rules/inline-single-use-ctes.ts';
import { makeOuterJoinsInner } from './rules/make-outer-joins-inner.ts';
import { pruneColumns } from './rules/prune-columns.ts';
import { pushFilterIntoScan } from './rules/push-filter-into-scan.ts';
import { pushFilters } from './rules/push-filters.ts';
import { pushLimitDown } from './rules/push-limit-down.ts';
import { pushLimitIntoScan } from './rules/push-limit-into-scan.ts';
import { readNothingForNoRows } from './rules/read-nothing-for-no-rows.ts';
import { readPathsInScans } from './rules/read-paths-in-scans.ts';
import { splitConjuncts } from './rules/split-conjuncts.ts';
import { transferConstants } from './rules/transfer-constants.ts';
import { transferIntoMemberships } from './rules/transfer-into-memberships.ts';
import { hintOrderOfScan } from './rules/hint-order-of-scan.ts';
import { groupCorrelatedExtremes } from './rules/group-correlated-extremes.ts';
import { hintTopOfEach } from './rules/hint-top-of-each.ts';

export interface OptimizeOptions {
  /** Rows of a page; null: all. Which page it is must not change the plan: they are cut out of one order. */
  readonly rowsWanted: number | null;
  /** False where tables are to be scanned whole, for tests that compare: scans get no filter, limit or order. */
  readonly pushdown: boolean;
}

/** Gone through again and again until none of them finds anything. */
const REWRITES: readonly Rule[] = Object.freeze([
  inlineSingleUseCtes,
  readPathsInScans,
  splitConjuncts,
  makeOuterJoinsInner,
  pushFilters,
  transferConstants,
  groupCorrelatedExtremes,
  transferIntoMemberships,
  detectContradictions,
  pushLimitDown,
  pruneColumns,
]);

/** Rules that tell the scans what to read, once the plan changes no more: each in turn, once. */
function hintsFor({ rowsWanted, pushdown }: OptimizeOptions): readonly Rule[] {
  if (!pushdown) return [];
  return [
    pushFilterIntoScan,
    readNothingForNoRows,
    implyNotNull,
    hintOrderOfScan,
    hintTopOfEach,
    pushLimitIntoScan(rowsWanted),
  ];
}

/** `settled`: by rule, the plan in which it found nothing to do: of that, it would find nothing again. */
function* applyRules(
  rules: readonly Rule[],
  plan: LogicalPlan,
  settled: Map<Rule, LogicalPlan>,
): Generator<void, LogicalPlan> {
  let before = plan;
  for (const rule of rules) {
    if (settled.get(rule) === before) continue;
    const after = rule.apply(before);
    if (after === before) settled.set(rule, before);
    else if (!sameElements(idsOf(before), idsOf(after)))
      throw new Error(`the rule ${rule.name} changed the statement's columns`);
    before = after;
    yield;
  }
  return before;
}

function idsOf(plan: LogicalPlan): readonly number[] {
  return outputColumns(plan).map(({ id }) => id);
}

/** The statement, rewritten; its columns are what they were. Pure. Yields after each rule. */
export function* optimize(
  statement: BoundStatement,
  options: OptimizeOptions,
): Generator<void, BoundStatement> {
  let { plan } = statement;
  const settled = new Map<Rule, LogicalPlan>();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = plan;
    plan = yield* applyRules(REWRITES, plan, settled);
    if (plan === before) break;
  }
  plan = yield* applyRules(hintsFor(options), plan, settled);
  return Object.freeze({ ...statement, plan });
}
