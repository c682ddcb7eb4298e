/** Chooses the read of a dynamically filtered scan, once its build sides are in, by the keys that there really are. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { leastUnits } from '../../dynamodb/access-path/estimate.ts';
import { keysMax } from '../../dynamodb/access-path/limits.ts';
import { decideBefore } from '../../dynamodb/bounded-regret/choose-lookups.ts';
import type { LookupLedger } from '../../dynamodb/bounded-regret/ledger.ts';
import { REGRET_MAX } from '../../dynamodb/bounded-regret/limits.ts';
import { mostUnits, priceRangeOf } from '../../dynamodb/bounded-regret/price-range.ts';
import { ledgerOf } from '../../dynamodb/bounded-regret/read-ledger.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import { columnReference, expression, literal } from '../../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { indexLookupChoice, type IndexLookupChoice } from '../../planning/index-lookup.ts';
import { MixedKind } from '../../duckdb-sql/macros.ts';
import type { FilteredScan, DynamicFilter, PhysicalPlan } from '../../planning/physical-plan.ts';
import type { ChooseRead } from '../../planning/share-reads.ts';
import { writeKeyValues } from '../../duckdb-sql/key-values.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { INEXACT_DIGITS } from '../limits.ts';
import type { Session } from '../session/session.ts';
import { sourceFinder } from './sources.ts';

/** A value as a constant that reads can be planned with; null where it may equal keys that we cannot name. */
function constantOf(kind: unknown, text: unknown, { byDoubles }: DynamicFilter): LiteralValue | null {
  if (typeof text !== 'string') return null;
  // As doubles, long numbers equal their neighbors.
  if (byDoubles && kind === MixedKind.TEXT && /^[\s\d.+-]+$/.test(text) && text.length > INEXACT_DIGITS)
    return null;
  if (kind === MixedKind.NUMBER) return { type: 'number', text };
  return kind === MixedKind.TEXT ? { type: 'text', value: text } : null;
}

/** What the values say of the scan; null where they say nothing, or are too many to be of use. */
async function conditionOf(
  filter: DynamicFilter,
  plan: PhysicalPlan,
  loaded: readonly (ScanSource | undefined)[],
  session: Session,
  valuesMax: number,
): Promise<Expression | null> {
  const written = writeKeyValues(filter.query, sourceFinder(plan, loaded), valuesMax + 1);
  if (written === null) return null;
  const rows = await session.rows(written.sql);
  if (rows.length > valuesMax) return null;
  const values: Expression[] = [];
  for (const row of rows) {
    const constants = filter.columns.map((_, i) => constantOf(row[2 * i], row[2 * i + 1], filter));
    if (!constants.every((constant) => constant !== null)) return null;
    values.push(rowOf(constants.map((constant) => literal(constant))));
  }
  const operand = rowOf(filter.columns.map((column) => columnReference(column)));
  return expression({ kind: 'InList', operand, values, negated: false });
}

function rowOf(values: readonly Expression[]): Expression {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : expression({ kind: 'Row', values });
}

export interface ResolvedRead {
  readonly read: TableRead;
  /** Where that is an index lookup, whose own keys are still to be counted. */
  readonly lookup: IndexLookupChoice | null;
  /** Where it goes on only as long as it costs less than the plain read; null: to its end. */
  readonly ledger: LookupLedger | null;
}

/** The read, if it is worth it by the number of its keys, or else by its estimate. */
function worthLookingUp(
  read: TableRead,
  lookup: IndexLookupChoice | null,
  certain: number,
): ResolvedRead | null {
  // Of an index that holds only what has its keys: the values exclude all else.
  if (read.path.kind === 'Scan') return read.estimate.units < certain ? { read, lookup, ledger: null } : null;
  // Its entries are counted before any item is looked up.
  if (lookup !== null) return { read, lookup, ledger: null };
  const ledger = ledgerOf(read);
  const decision = ledger === null ? null : decideBefore([ledger], certain);
  if (decision === 'certainPath') return null;
  if (decision === 'goOn') return { read, lookup, ledger };
  const price = priceRangeOf(read);
  const isCheap = price !== null && mostUnits(price, price.keys) <= certain * (1 + REGRET_MAX);
  return isCheap || read.estimate.units <= certain ? { read, lookup, ledger: null } : null;
}

/**
 * The read by the keys that were found; null where the plain one costs no more. A build side that cannot be computed says
 * nothing: the statement itself may never ask for what it stumbled over.
 */
export async function resolveFilteredScan(
  plan: PhysicalPlan,
  { scan, filters, fallback, unitsMax }: FilteredScan,
  loaded: readonly (ScanSource | undefined)[],
  session: Session,
  chooseRead: ChooseRead,
): Promise<ResolvedRead | null> {
  const valuesMax = Math.min(keysMax, Math.ceil(unitsMax / leastUnits(fallback.consistent)));
  const conditions: Expression[] = [];
  for (const filter of filters) {
    try {
      const condition = await conditionOf(filter, plan, loaded, session, valuesMax);
      if (condition !== null) conditions.push(condition);
    } catch (error) {
      const known = error instanceof PenstockError && ['EXECUTION_ERROR', 'TYPE_ERROR'].includes(error.code);
      if (!known) throw error;
    }
  }
  if (conditions.length === 0) return null;
  const narrowed = { ...scan, filter: [...scan.filter, ...conditions] };
  const read = chooseRead(narrowed);
  return worthLookingUp(read, indexLookupChoice(narrowed, read, chooseRead), unitsMax);
}
