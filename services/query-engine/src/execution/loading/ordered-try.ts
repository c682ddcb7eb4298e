/** Reads in order until enough rows have passed, or as long as that promises to cost less than its fallback. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  decideOrdered,
  type OrderedCounts,
  type OrderedDecision,
} from '../../dynamodb/bounded-regret/ordered-chooser.ts';
import type { ReadSteering } from '../../dynamodb/read-context.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { writeRowByRow } from '../../duckdb-sql/plan.ts';
import type { OrderedTry } from '../../planning/ordered-tries.ts';
import { oneStep, type RunSliced } from '../../scheduling/sliced-work.ts';
import type { Session } from '../session/session.ts';
import type { ColumnTypeInference } from './infer-column-type.ts';
import { loadRead } from './load-read.ts';

export interface OrderedTryParts {
  readonly session: Session;
  /** New in the session, as are names that begin with it. */
  readonly name: string;
  readonly runSliced: RunSliced;
  readonly runSpaced: RunSliced;
  /** What infers the types of a read's columns. */
  readonly inferences: (read: TableRead) => readonly ColumnTypeInference[];
  readonly batchesOf: (steering?: ReadSteering) => AsyncIterable<ReadBatch>;
}

/** What was read; null where the fallback has to be read instead. */
export async function loadInOrder(attempt: OrderedTry, parts: OrderedTryParts): Promise<ScanSource | null> {
  const { read, job, isComplete, passing } = attempt;
  const load = (batches: AsyncIterable<ReadBatch>): Promise<ScanSource> =>
    loadRead(parts.session, `${parts.name}o`, parts.inferences(read), batches, parts.runSliced);
  if (passing === null) {
    const source = await load(parts.batchesOf());
    return isComplete || (source.rowCount ?? 0) >= job.rows ? source : null;
  }
  const walk = followOrder(attempt, passing, parts);
  const source = await load(walk.batches);
  return walk.isEnough() ? source : null;
}

interface Walk {
  readonly batches: AsyncIterable<ReadBatch>;
  /** Once they have ended. */
  readonly isEnough: () => boolean;
}

function followOrder(
  attempt: OrderedTry,
  passing: NonNullable<OrderedTry['passing']>,
  parts: OrderedTryParts,
): Walk {
  const { job } = attempt;
  const history: OrderedCounts[] = [];
  let now: OrderedCounts = { read: 0, passed: 0, units: 0 };
  let last: OrderedDecision['kind'] = 'read';
  const steering: ReadSteering = {
    nextItems: () => {
      if (last !== 'read') return null;
      if (now.read > 0) history.push(now);
      const decision = decideOrdered(job, history);
      last = decision.kind;
      if (decision.kind !== 'read') return null;
      now = { ...now, read: now.read + decision.items };
      return decision.items;
    },
    spent: (halfUnits) => {
      now = { ...now, units: now.units + halfUnits / 2 };
    },
  };
  async function* batches(): AsyncGenerator<ReadBatch> {
    let number = 0;
    for await (const part of parts.batchesOf(steering)) {
      yield part;
      const passed = await countPassing(attempt, passing, part, `${parts.name}p${number++}`, parts);
      if (passed === null) {
        last = 'fallback';
        return;
      }
      now = { ...now, passed: now.passed + passed };
      if (now.passed >= job.rows) return;
    }
  }
  return {
    batches: batches(),
    isEnough: () => now.passed >= job.rows || (last === 'read' && attempt.isComplete),
  };
}

/** How many of a batch pass; null where that cannot be computed: the statement may never ask for what it stumbled over. */
async function countPassing(
  { read, scan }: OrderedTry,
  passing: NonNullable<OrderedTry['passing']>,
  part: ReadBatch,
  name: string,
  { session, runSliced, runSpaced, inferences }: OrderedTryParts,
): Promise<number | null> {
  try {
    const only = (async function* (): AsyncGenerator<ReadBatch> {
      yield part;
    })();
    const source = await loadRead(session, name, inferences(read), only, runSliced);
    const { sql } = await runSpaced(
      oneStep(() =>
        writeRowByRow(passing, (asked) => {
          if (asked !== scan) throw new Error(`no read for the scan of ${asked.alias}`);
          return source;
        }),
      ),
    );
    const [row] = await session.rows(`SELECT count(*) FROM (${sql}) passing`);
    return Number(row?.[0] ?? 0);
  } catch (error) {
    if (error instanceof PenstockError && ['EXECUTION_ERROR', 'TYPE_ERROR'].includes(error.code)) return null;
    throw error;
  }
}
