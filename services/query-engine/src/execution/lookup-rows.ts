/** Rows of plans that only choose columns of what was read: no DuckDB. */
import { textOf, TypeCode, type ColumnBatch } from '../dynamodb/column-batch.ts';
import { inOneGo } from '../scheduling/sliced-work.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { checkedColumns } from '../planning/plan-query.ts';
import { numberJson, rowCheck, type Cell } from '../planning/row-check.ts';
import { NULL_TYPE } from '../duckdb-sql/types/sql-type.ts';
import { SLICE_ROWS } from './limits.ts';
import { orExpected } from './loading/expected-types.ts';
import type { RowMaker } from './run-row-by-row.ts';
import { columnCells } from './results/text/column-cells.ts';
import { inferencesOf, observeAll } from './loading/infer-column-type.ts';

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

export function lookupRows(plan: PhysicalPlan): RowMaker {
  const { execution } = plan;
  if (execution.kind !== 'lookup') throw new Error('the plan is no lookup');
  const known = checkedColumns(plan);
  const checks = execution.predicates.map((predicate) => {
    const check = rowCheck(predicate, (id) => known.get(id) ?? null);
    if (check === null) throw new Error('a lookup has a predicate that it cannot check');
    return check;
  });
  const width = plan.statement.columns.length;
  let isHeaderMade = false;
  const inferences = inferencesOf(plan);
  let item = 0;
  return {
    *rows(batch: ColumnBatch) {
      inOneGo(observeAll(inferences, batch));
      for (let row = 0; row < batch.rowCount; row++) {
        if (row % SLICE_ROWS === SLICE_ROWS - 1) yield null;
        const cellOf = cellsOf(batch, row);
        if (checks.every((check) => check(cellOf))) {
          item = row;
          yield execution.outputs.map((position) => cellJson(cellOf(position)));
        }
      }
    },
    *pieces(batch, field) {
      // What the header says is known by then.
      if (!isHeaderMade) inOneGo(observeAll(inferences, batch));
      const { rowCount, columns } = batch;
      const cells = execution.outputs
        .slice(0, width)
        .map((position) => columnCells(columns[position], field));
      const isShown = (row: number): boolean => checks.every((check) => check(cellsOf(batch, row)));
      yield checks.length === 0 ? { rowCount, cells } : { rowCount, cells, isShown };
    },
    types: async () => {
      isHeaderMade = true;
      const types = orExpected(
        plan,
        0,
        inferences.map(({ type }) => type),
      );
      return execution.outputs.map((position) => types[position] ?? NULL_TYPE);
    },
    lastItem: () => item,
    columnStates: () => inferences.map((inference) => inference.state()),
    unwritable: () => false,
    close: () => undefined,
  };
}
