/** Rows of plans that only choose columns of what was read: no DuckDB. */
import { textOf, TypeCode, type ColumnBatch } from '../dynamodb/column-batch.ts';
import { inOneGo } from '../scheduling/sliced-work.ts';
import type { Execution, PhysicalPlan } from '../planning/physical-plan.ts';
import { checkedColumns } from '../planning/plan-query.ts';
import type { ColumnState } from '../planning/page-position.ts';
import { numberJson, rowCheck, type Cell, type RowCheck } from '../planning/row-check.ts';
import { NULL_TYPE, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { SLICE_ROWS } from './limits.ts';
import { orExpected } from './loading/expected-types.ts';
import type { RowMaker } from './run-row-by-row.ts';
import { columnCells } from './results/text/column-cells.ts';
import type { FieldWriter } from './results/text/field-writer.ts';
import type { RowPiece } from './results/text/row-piece.ts';
import { inferencesOf, observeAll, type ColumnTypeInference } from './loading/infer-column-type.ts';

function cellJson({ type, text }: Cell): string {
  if (text === null) return 'null';
  switch (type) {
    case TypeCode.N:
      return numberJson(text);
    case TypeCode.S:
    case TypeCode.B:
      return JSON.stringify(text);
    default:
      return text;
  }
}

/** A row's cells, by position. */
const cellsOf =
  ({ columns }: ColumnBatch, row: number) =>
  (position: number): Cell => {
    const column = columns[position];
    if (column === undefined) return { type: TypeCode.MISSING, text: null };
    return { type: column.types[row] ?? TypeCode.MISSING, text: textOf(column, row) };
  };

/** Its generators are methods: V8 makes a closure's generator, and whoever takes from it, anew for each query. */
class LookupRows implements RowMaker {
  private readonly plan: PhysicalPlan;
  private readonly outputs: readonly number[];
  private readonly checks: readonly RowCheck[];
  private readonly inferences: readonly ColumnTypeInference[];
  private isHeaderMade = false;
  private item = 0;

  constructor(plan: PhysicalPlan, { outputs, predicates }: Extract<Execution, { kind: 'lookup' }>) {
    this.plan = plan;
    this.outputs = outputs;
    const known = checkedColumns(plan);
    this.checks = predicates.map((predicate) => {
      const check = rowCheck(predicate, (id) => known.get(id) ?? null);
      if (check === null) throw new Error('a lookup has a predicate that it cannot check');
      return check;
    });
    this.inferences = inferencesOf(plan, false);
  }

  *rows(batch: ColumnBatch): Generator<readonly string[] | null> {
    inOneGo(observeAll(this.inferences, batch));
    for (let row = 0; row < batch.rowCount; row++) {
      if (row % SLICE_ROWS === SLICE_ROWS - 1) yield null;
      const cellOf = cellsOf(batch, row);
      if (!this.isShown(cellOf)) continue;
      this.item = row;
      yield this.outputs.map((position) => cellJson(cellOf(position)));
    }
  }

  *pieces(batch: ColumnBatch, field: FieldWriter): Generator<RowPiece> {
    // What the header says is known by then.
    if (!this.isHeaderMade) inOneGo(observeAll(this.inferences, batch));
    const { rowCount, columns } = batch;
    const cells = this.outputs
      .slice(0, this.plan.statement.columns.length)
      .map((position) => columnCells(columns[position], field));
    const isShown = (row: number): boolean => this.isShown(cellsOf(batch, row));
    yield this.checks.length === 0 ? { rowCount, cells } : { rowCount, cells, isShown };
  }

  async types(): Promise<readonly SqlType[]> {
    this.isHeaderMade = true;
    const types = orExpected(
      this.plan,
      0,
      this.inferences.map(({ type }) => type),
    );
    return this.outputs.map((position) => types[position] ?? NULL_TYPE);
  }

  lastItem(): number {
    return this.item;
  }

  columnStates(): readonly ColumnState[] {
    return this.inferences.map((inference) => inference.state());
  }

  warnings(): readonly string[] {
    return [];
  }

  close(): void {
    // It holds nothing.
  }

  private isShown(cellOf: (position: number) => Cell): boolean {
    return this.checks.every((check) => check(cellOf));
  }
}

export function lookupRows(plan: PhysicalPlan): RowMaker {
  const { execution } = plan;
  if (execution.kind !== 'lookup') throw new Error('the plan is no lookup');
  return new LookupRows(plan, execution);
}
