/** Runs the workload's queries, and says what each cost beside what it could have cost. */
import { choiceFrom } from '../../choice.ts';
import { clairvoyant } from './clairvoyant/clairvoyant.ts';
import type { WorkloadQuery } from './query.ts';
import { queriesOf } from './queries.ts';
import type { Shape } from './shapes.ts';
import { SCHEMA, type View, type WorkloadEngine } from './workload-engine.ts';
import type { Sizes } from './values.ts';
import { writeOtherwise } from './write-otherwise.ts';
import { writePlainly, writeSql } from './write-sql.ts';

/** How far a read may go before its price is projected: part of the certain plan's units. */
const EPSILON = 0.1;
/** Requests in flight, and how far a page of each may go before the price is projected, as a part of ε C. */
const IN_FLIGHT = 32;
const PROBE_PAGES = 64;
const HALF_UNIT = 0.5;

/** What is generated. */
export interface Extent {
  readonly seed: number;
  readonly sizes: Sizes;
  /** Queries of each kind, over each shape. */
  readonly perKind: number;
}

/** Conditions with literals, or as programs write them. */
export type Manner = 'plainly' | 'otherwise';

/** A query with what it costs at least. */
export interface Task {
  readonly shape: Shape;
  readonly query: WorkloadQuery;
  readonly sql: string;
  readonly least: number;
  readonly certain: number;
}

/** One execution. */
export interface Outcome extends Task {
  readonly units: number;
  readonly rows: readonly unknown[];
  /** The most that bounded regret allows. */
  readonly bound: number;
  /** Between which units plan mode said, before, that it would come out. */
  readonly estimate: { readonly low: number; readonly high: number };
}

export function tasksOf(
  shape: Shape,
  tables: WorkloadEngine['tables'],
  { seed, sizes, perKind }: Extent,
  manner: Manner = 'plainly',
): readonly Task[] {
  const write = manner === 'plainly' ? writePlainly : writeOtherwise(choiceFrom(seed));
  return queriesOf(shape, seed, sizes, perKind).map((query) => ({
    shape,
    query,
    sql: writeSql(query, SCHEMA, write),
    ...clairvoyant(query, tables),
  }));
}

/** C + max(ε C, n/2) + one page per request in flight, where n keys were asked for. */
function boundOf(certain: number, keys: number): number {
  const page = Math.max(HALF_UNIT, (EPSILON * certain) / PROBE_PAGES);
  return certain + Math.max(EPSILON * certain, keys / 2) + IN_FLIGHT * page;
}

/** Throws where the meter and the endpoint's log differ. */
export async function runTask(engine: WorkloadEngine, view: View, task: Task): Promise<Outcome> {
  await engine.open(view);
  const { estimatedReadUnits: estimate } = await engine.plan(view, task.sql);
  await engine.clear();
  const { readUnits, rows } = await engine.run(view, task.sql);
  const requests = await engine.requests();
  const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
  if (logged !== readUnits)
    throw new Error(`the meter says ${readUnits} units, the endpoint ${logged}: ${task.sql}`);
  const conditions = new Set(
    requests.map(({ tableName, indexName, keyCondition }) =>
      JSON.stringify([tableName, indexName, keyCondition]),
    ),
  );
  const keys = requests.reduce((sum, request) => sum + (request.keys ?? 0), conditions.size);
  return { ...task, units: readUnits, rows, bound: boundOf(task.certain, keys), estimate };
}
