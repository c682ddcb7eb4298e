/**
 * Values of expressions that depend on no row, by DuckDB, which evaluates them when the statement runs, too. What fails is
 * left as it is: it fails then, or is never asked for.
 */
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { writeRowByRow } from '../../duckdb-sql/plan.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import type { StatementTime } from '../../logical/statement-time.ts';
import { oneStep } from '../../scheduling/sliced-work.ts';
import { FOLDED_IN_ALL_BYTES_MAX, FOLDING_QUERIES_MAX } from '../limits.ts';
import type { RunContext } from '../run-context.ts';
import { openSession, type Session } from '../session/session.ts';
import { askingFor, foldedValue } from './folded-value.ts';

export type FoldingContext = Pick<RunContext, 'database' | 'signal' | 'runSpaced' | 'enterStatement'>;

/** IDs that no column of a statement has. */
const FIRST_ID = 1_900_000_000;

const ONE_ROW: LogicalPlan = Object.freeze({ kind: 'Values', columns: [], rows: [[]] });

/** All constants as the columns of one row. */
function rowOf(constants: readonly Expression[]): LogicalPlan {
  const columns = constants.map((expression, i) => ({
    column: { id: FIRST_ID + i, name: `constant ${i + 1}` },
    expression,
  }));
  return { kind: 'Project', input: ONE_ROW, columns };
}

const noSource = (): never => {
  throw new Error('a constant reads no table');
};

interface Values {
  readonly found: Map<Expression, LiteralValue>;
  bytesLeft: number;
}

function bytesOf(value: LiteralValue): number {
  if (value.type === 'text') return Buffer.byteLength(value.value);
  return value.type === 'binary' ? value.base64.length : 0;
}

async function evaluateTogether(
  constants: readonly Expression[],
  session: Session,
  { runSpaced }: FoldingContext,
  values: Values,
): Promise<void> {
  const { sql, columns } = await runSpaced(oneStep(() => writeRowByRow(rowOf(constants), noSource)));
  const asked = columns.flatMap(({ id, type }, i) => {
    const column = `c${id}`;
    const asking = askingFor(column, type);
    const constant = constants[i];
    return asking === null || constant === undefined ? [] : [{ constant, type, column, asking }];
  });
  if (asked.length === 0) return;
  const selected = asked.map(({ column, asking }) => `${column} IS NULL, ${asking}`);
  const [row = []] = await session.rows(`SELECT ${selected.join(', ')} FROM (${sql}) q1`);
  for (const [i, { constant, type }] of asked.entries()) {
    const value = foldedValue(type, row[2 * i] === true, row[2 * i + 1] ?? null);
    if (value === null) continue;
    const bytes = bytesOf(value);
    if (bytes > values.bytesLeft) continue;
    values.bytesLeft -= bytes;
    values.found.set(constant, value);
  }
}

/** What evaluating one of several constants may end with. */
const OF_ONE: ReadonlySet<ErrorCode> = new Set([
  'TYPE_ERROR',
  'EXECUTION_ERROR',
  'INVALID_QUERY',
  'UNSUPPORTED_SQL',
]);
/** What is better not asked for a second time. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set(['RESOURCE_EXHAUSTED', 'INTERNAL']);

/**
 * The values of those constants that have one that reads can be planned by. Throws the signal's reason.
 * Waits for the tenant's turn among statements that DuckDB runs.
 */
export async function evaluateConstants(
  constants: readonly Expression[],
  time: StatementTime | undefined,
  context: FoldingContext,
): Promise<ReadonlyMap<Expression, LiteralValue>> {
  const values: Values = { found: new Map(), bytesLeft: FOLDED_IN_ALL_BYTES_MAX };
  let queries = 0;
  const { database, signal, enterStatement } = context;
  const session = await openSession(database, { signal, columnNames: new Map(), time, enterStatement });
  const evaluate = async (some: readonly Expression[]): Promise<void> => {
    if (some.length === 0 || queries === FOLDING_QUERIES_MAX) return;
    queries++;
    try {
      await evaluateTogether(some, session, context, values);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof PenstockError)) throw error;
      if (OF_ALL.has(error.code)) queries = FOLDING_QUERIES_MAX;
      else if (!OF_ONE.has(error.code)) throw error;
      if (some.length === 1) return;
      const half = Math.ceil(some.length / 2);
      await evaluate(some.slice(0, half));
      await evaluate(some.slice(half));
    }
  };
  try {
    await evaluate(constants);
  } finally {
    session.close();
  }
  return values.found;
}
