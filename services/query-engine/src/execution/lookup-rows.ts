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
import { createColumnTypeInference, observeAll } from './loading/infer-column-type.ts';

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

export function lookupRows(plan: PhysicalPlan): RowMaker {
  const { execution } = plan;
  if (execution.kind !== 'lookup') throw new Error('the plan is no lookup');
  const known = checkedColumns(plan);
  const checks = execution.predicates.map((predicate) => {
    const check = rowCheck(predicate, (id) => known.get(id) ?? null);
    if (check === null) throw new Error('a lookup has a predicate that it cannot check');
    return check;
  });
  const inferences = (plan.reads[0]?.columns ?? []).map(createColumnTypeInference);
  return {
    *rows(batch: ColumnBatch) {
      inOneGo(observeAll(inferences, batch));
      for (let row = 0; row < batch.rowCount; row++) {
        if (row % SLICE_ROWS === SLICE_ROWS - 1) yield null;
        const cellOf = (position: number): Cell => {
          const column = batch.columns[position];
          if (column === undefined) return { type: TypeCode.MISSING, text: null };
          return { type: column.types[row] ?? TypeCode.MISSING, text: textOf(column, row) };
        };
        if (checks.every((check) => check(cellOf))) {
          yield execution.outputs.map((position) => cellJson(cellOf(position)));
        }
      }
    },
    types: async () => {
      const types = orExpected(
        plan,
        0,
        inferences.map(({ type }) => type),
      );
      return execution.outputs.map((position) => types[position] ?? NULL_TYPE);
    },
    unwritable: () => false,
    close: () => undefined,
  };
}
