/** Collects the aggregates and window functions of one SELECT while its expressions are bound. */
import { columnReference, expression } from '../logical/build-expression.ts';
import type {
  AggregateCall,
  Column,
  ColumnId,
  Expression,
  WindowSpecification,
} from '../logical/expression.ts';
import type { Position, TableFunctionName } from '../parser/ast.ts';
import type { StatementContext } from './context.ts';

export interface CollectedAggregate {
  readonly column: Column;
  readonly call: AggregateCall;
}

export interface CollectedWindow {
  readonly column: Column;
  readonly call: AggregateCall;
  readonly window: WindowSpecification;
}

/** GROUPING(a, b), to be resolved once the group is known. */
export interface CollectedGrouping {
  readonly column: Column;
  readonly of: readonly Expression[];
  readonly pos: Position;
}

/** Grows while the SELECT is bound. Equal aggregates share a column. */
export interface Calls {
  readonly aggregates: Map<string, CollectedAggregate>;
  readonly windows: Map<string, CollectedWindow>;
  readonly groupings: CollectedGrouping[];
  /** UNNEST and generate_series in the SELECT list: rows are made of what it computes. */
  readonly rows: CollectedRows[];
}

/** A call that makes rows, in the SELECT list. */
export interface CollectedRows {
  readonly column: Column;
  readonly name: TableFunctionName;
  readonly arguments: readonly Expression[];
  readonly pos: Position;
}

export function noCalls(): Calls {
  return { aggregates: new Map(), windows: new Map(), groupings: [], rows: [] };
}

/** Columns that hold what was collected: they exist only above the rows that aggregates read. */
export function collectedColumns(calls: Calls, what: 'all' | 'windows' = 'all'): ReadonlySet<ColumnId> {
  const collected = [
    ...calls.windows.values(),
    ...(what === 'all' ? [...calls.aggregates.values(), ...calls.groupings] : []),
  ];
  return new Set(collected.map(({ column }) => column.id));
}

const rowOf = (values: readonly (Expression | null)[]): Expression =>
  expression({ kind: 'Row', values: values.filter((value) => value !== null) });

/** Every expression of a call. */
export function partsOfCall(call: AggregateCall): readonly Expression[] {
  const keys = [...call.orderBy, ...call.withinGroup].map(({ expression: key }) => key);
  return [...call.arguments, ...keys, ...(call.filter === null ? [] : [call.filter])];
}

/** What makes two calls equal, as text. */
function callKey({ structureOf }: StatementContext, call: AggregateCall): string {
  const keys = [...call.orderBy, ...call.withinGroup];
  return JSON.stringify([
    call.name,
    call.distinct,
    call.filter !== null,
    call.orderBy.length,
    keys.map(({ descending, nullsFirst }) => [descending, nullsFirst]),
    call.arguments.length,
    structureOf(rowOf([...call.arguments, call.filter, ...keys.map((key) => key.expression)])),
  ]);
}

function windowKey({ structureOf }: StatementContext, window: WindowSpecification): string {
  const { frame } = window;
  return JSON.stringify([
    structureOf(rowOf(window.partitionBy)),
    structureOf(rowOf(window.orderBy.map((key) => key.expression))),
    window.orderBy.map(({ descending, nullsFirst }) => [descending, nullsFirst]),
    frame === null
      ? null
      : [
          frame.unit,
          frame.exclude,
          ...[frame.start, frame.end].map(({ kind, offset }) => [
            kind,
            offset === null ? null : structureOf(offset),
          ]),
        ],
  ]);
}

/** The column that will hold the aggregate's value. */
export function collectAggregate(
  statement: StatementContext,
  calls: Calls,
  call: AggregateCall,
  pos: Position,
): Expression {
  const key = callKey(statement, call);
  const collected = calls.aggregates.get(key) ?? {
    column: statement.newColumn(call.name.toLowerCase()),
    call,
  };
  calls.aggregates.set(key, collected);
  return columnReference(collected.column, pos);
}

/** The column that will hold the window function's value. */
export function collectWindow(
  statement: StatementContext,
  calls: Calls,
  call: AggregateCall,
  window: WindowSpecification,
  pos: Position,
): Expression {
  const key = `${callKey(statement, call)} OVER ${windowKey(statement, window)}`;
  const collected = calls.windows.get(key) ?? {
    column: statement.newColumn(call.name.toLowerCase()),
    call,
    window,
  };
  calls.windows.set(key, collected);
  return columnReference(collected.column, pos);
}

/** The column that will hold GROUPING(...). */
export function collectGrouping(
  statement: StatementContext,
  calls: Calls,
  of: readonly Expression[],
  pos: Position,
): Expression {
  const column = statement.newColumn('grouping');
  calls.groupings.push({ column, of, pos });
  return columnReference(column, pos);
}
