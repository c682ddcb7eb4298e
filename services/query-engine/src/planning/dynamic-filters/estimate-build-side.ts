/** Estimates how many rows a part of a plan has, for choosing build sides. */
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { Expression } from '../../logical/expression.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { visitPlan, type PlanVisitor } from '../../logical/visit.ts';

export interface BuildSideEstimate {
  readonly rows: number;
  /** The part that filters leave of what is below, from 0 to 1. */
  readonly part: number;
}

/** The part of the rows that is taken to pass a conjunct that the read does not apply. */
const PASSING = 1 / 3;
/** What is taken for the rows that a function makes: of a list in an item, or of a series. */
const MADE_ROWS = 10;
const NOTHING: BuildSideEstimate = Object.freeze({ rows: 0, part: 0 });

export type ReadOf = (scan: TableScan) => TableRead;

/** Rows of the plan, when its scans are read so. */
export function estimateRows(plan: LogicalPlan, readOf: ReadOf): BuildSideEstimate {
  const of = (node: LogicalPlan): BuildSideEstimate => visitPlan(visitor, node);
  const ctes = new Map<number, LogicalPlan>();
  // Where each CTE names the one before twice, the first would be estimated 2^n times.
  const known = new Map<number, BuildSideEstimate>();
  const visitor: PlanVisitor<BuildSideEstimate> = {
    TableScan: (scan) => {
      const { rows } = readOf(scan).estimate;
      const all = Math.max(scan.table.itemCount, scan.table.sampledItems, rows, 1);
      return { rows, part: scan.table.foundEmpty === true ? 0 : rows / all };
    },
    Values: ({ rows }) => ({ rows: rows.length, part: 1 }),
    Filter: ({ input, predicates }) => {
      const below = of(input);
      const known: readonly Expression[] = input.kind === 'TableScan' ? input.filter : [];
      const passing = PASSING ** predicates.filter((predicate) => !known.includes(predicate)).length;
      return { rows: below.rows * passing, part: below.part * passing };
    },
    Project: ({ input }) => of(input),
    Join: ({ join, left, right, on }) => {
      const [a, b] = [of(left), of(right)];
      if (on.length === 0) return { rows: a.rows * b.rows, part: a.part * b.part };
      if (join === 'left') return { rows: Math.max(a.rows, b.rows * a.part), part: a.part };
      if (join === 'right') return { rows: Math.max(b.rows, a.rows * b.part), part: b.part };
      if (join === 'full') return { rows: a.rows + b.rows, part: 1 };
      // As if one side's rows each had their partner on the other.
      return { rows: Math.max(a.rows * b.part, b.rows * a.part), part: a.part * b.part };
    },
    Unnest: ({ input }) => {
      const below = of(input);
      return { rows: below.rows * MADE_ROWS, part: below.part };
    },
    Series: () => ({ rows: MADE_ROWS, part: 1 }),
    Aggregate: ({ input, groupBy }) => {
      const below = of(input);
      return groupBy.length === 0 ? { rows: 1, part: below.part } : below;
    },
    Window: ({ input }) => of(input),
    Distinct: ({ input }) => of(input),
    SetOperation: ({ operator, left, right }) => {
      const [a, b] = [of(left), of(right)];
      if (operator === 'union') return { rows: a.rows + b.rows, part: Math.max(a.part, b.part) };
      return operator === 'intersect' && b.rows < a.rows ? b : a;
    },
    Sort: ({ input }) => of(input),
    Limit: ({ input, count }) => {
      const below = of(input);
      if (count === null || count >= below.rows) return below;
      return count === 0 ? NOTHING : { rows: count, part: below.part * (count / below.rows) };
    },
    With: ({ ctes: defined, body }) => {
      for (const cte of defined) ctes.set(cte.id, cte.plan);
      return of(body);
    },
    Recursion: ({ base, step }) => {
      const [first, next] = [of(base), of(step)];
      return { rows: first.rows + next.rows, part: 1 };
    },
    RecursionScan: () => ({ rows: 1, part: 1 }),
    CteScan: ({ cteId }) => {
      const definition = ctes.get(cteId);
      const estimate = known.get(cteId) ?? (definition === undefined ? NOTHING : of(definition));
      known.set(cteId, estimate);
      return estimate;
    },
  };
  return of(plan);
}
