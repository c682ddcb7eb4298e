/** The rows of calls that make some, as plans, wherever the call stands. */
import {
  castTo,
  columnReference,
  comparison,
  elementsOf,
  expression,
  functionCall,
  literal,
  NULL_LITERAL,
} from '../logical/build-expression.ts';
import { join, planNode, project, values } from '../logical/build-plan.ts';
import { parseNumber, type ExactNumber } from '../logical/exact-number.ts';
import type { Column, ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan, Project, Series, Unnest } from '../logical/plan.ts';
import { walkExpressionDeep } from '../logical/visit.ts';
import type { Position, TableFunctionName } from '../parser/ast.ts';
import { partsMade } from '../parser/reader/table-functions.ts';
import { SERIES_ROWS_MAX } from '../limits.ts';
import type { ExpressionContext, StatementContext } from './context.ts';
import { invalid } from './errors.ts';

/** A call that makes rows. */
export interface CallOfRows {
  readonly name: TableFunctionName;
  readonly pos: Position;
}

export interface Rows {
  readonly given: readonly Expression[];
  readonly columns: readonly [Column] | readonly [Column, Column];
  /** For the places of a list that is written out, or of a series. */
  readonly place: Column;
  readonly newColumn: StatementContext['newColumn'];
}

/** Columns that are not made by subqueries of the expressions themselves. */
export function outerColumns(roots: readonly Expression[]): ReadonlySet<ColumnId> {
  const used = new Set<ColumnId>();
  const made = new Set<ColumnId>();
  for (const root of roots) {
    walkExpressionDeep(root, {
      expression: (node) => {
        if (node.kind === 'ColumnReference') used.add(node.column.id);
      },
      plan: (node) => {
        for (const { id } of outputColumns(node)) made.add(id);
      },
    });
  }
  return used.difference(made);
}

/** The rows of a call that names no column. */
export function rowsAlone(call: CallOfRows, rows: Rows): LogicalPlan {
  const { given, columns } = rows;
  const [column, ordinality = null] = columns;
  const [list] = given;
  if (call.name === 'GENERATE_SERIES' || list === undefined)
    return planNode<Series>({ kind: 'Series', arguments: given, column, ordinality, pos: call.pos });
  const elements = partsMade(call.name) === null ? elementsOf(list) : null;
  if (elements === null) return rowsOver(values([], [[]]), false, call, rows);
  // The elements of a list that is written out keep their types.
  return values(
    columns,
    elements.map((element, i) => [element, placeOf(i)].slice(0, columns.length)),
  );
}

const placeOf = (index: number): Expression => literal({ type: 'number', text: String(index + 1) });

/** Each row of the input with those of the call, which may name its columns. */
export function rowsOver(input: LogicalPlan, outer: boolean, call: CallOfRows, rows: Rows): LogicalPlan {
  const { given, columns } = rows;
  if (call.name === 'GENERATE_SERIES') return seriesOver(input, outer, call, rows);
  const [column, ordinality = null] = columns;
  const [list] = given;
  if (list === undefined) throw new Error('UNNEST of nothing');
  if (partsMade(call.name) !== null) return partsOver(input, outer, call, list, rows);
  const elements = elementsOf(list);
  if (elements === null || elements.length === 0)
    return planNode<Unnest>({ kind: 'Unnest', input, list, outer, column, ordinality, pos: call.pos });
  return overElements(input, elements, rows);
}

/** Each row of the input with the parts of a document. */
function partsOver(
  input: LogicalPlan,
  outer: boolean,
  { name, pos }: CallOfRows,
  document: Expression,
  { columns, newColumn }: Rows,
): LogicalPlan {
  const [column, ordinality = null] = columns;
  const element = newColumn('element');
  const parts = partsMade(name);
  const list = parts === 'OBJECT_KEYS' ? functionCall('JSON_KEYS', [document], pos) : document;
  const made = planNode<Unnest>({
    ...{ kind: 'Unnest', input, list, outer, column: element, ordinality, pos },
  });
  const of = columnReference(element, pos);
  const value = parts === 'ARRAY_ELEMENTS' ? functionCall('TO_JSON', [of], pos) : castTo(of, 'VARCHAR', pos);
  const asItIs = (own: Column): Project['columns'][number] => ({
    column: own,
    expression: columnReference(own),
  });
  return project(made, [
    ...outputColumns(input).map(asItIs),
    { column, expression: value },
    ...(ordinality === null ? [] : [asItIs(ordinality)]),
  ]);
}

/** Where the step is an interval, there are instants; that an attribute is one, its text does not say. */
function isOfInstants(given: readonly Expression[]): boolean {
  return given.some(
    (node) =>
      (node.kind === 'Literal' && (node.value.type === 'interval' || node.value.type === 'temporal')) ||
      (node.kind === 'Cast' && /^(?:DATE|TIMESTAMP|INTERVAL)/.test(node.sqlType)),
  );
}

/** A series for each row: its places are those of a list, of which there can be fewer than of one series alone. */
function seriesOver(input: LogicalPlan, outer: boolean, call: CallOfRows, rows: Rows): LogicalPlan {
  const { given, columns, place, newColumn } = rows;
  const [column, ordinality] = columns;
  const element = newColumn('element');
  const list = functionCall('SEQUENCE', given, call.pos);
  const made = planNode<Unnest>({
    ...{ kind: 'Unnest', input, list, outer, column: element, ordinality: place, pos: call.pos },
  });
  const [start = NULL_LITERAL, , step = ONE] = given;
  const steps = arithmetic('-', columnReference(place), ONE);
  const value = isOfInstants(given)
    ? castTo(columnReference(element), 'TIMESTAMP')
    : arithmetic('+', start, arithmetic('*', steps, step));
  const kept = outputColumns(input).map((own) => ({ column: own, expression: columnReference(own) }));
  // Of a row that is kept without any, there is no place.
  const counted =
    ordinality === undefined ? [] : [{ column: ordinality, expression: columnReference(place) }];
  return project(made, [...kept, { column, expression: value }, ...counted]);
}

const ONE = literal({ type: 'number', text: '1' });

const arithmetic = (operator: '+' | '-' | '*', left: Expression, right: Expression): Expression =>
  expression({ kind: 'Arithmetic', operator, left, right });

/** The elements of a list that is written out keep their types: each is a branch, chosen by its place. */
function overElements(
  input: LogicalPlan,
  elements: readonly Expression[],
  { columns: [column, ordinality], place }: Rows,
): LogicalPlan {
  const places = values(
    [place],
    elements.map((_, i) => [placeOf(i)]),
  );
  const branches = elements.map((then, i) => ({
    when: comparison('=', columnReference(place), placeOf(i)),
    then,
  }));
  const kept = outputColumns(input).map((own) => ({ column: own, expression: columnReference(own) }));
  const made = { column, expression: expression({ kind: 'Case', operand: null, branches, otherwise: null }) };
  const counted =
    ordinality === undefined ? [] : [{ column: ordinality, expression: columnReference(place) }];
  return project(join('cross', input, places, []), [...kept, made, ...counted]);
}

/** The rows of a series of constants, before any is made; what is computed is looked at when it is. */
export function checkSeries(
  given: readonly Expression[],
  call: { readonly pos: Position },
  context: ExpressionContext,
): void {
  const [start, stop, step = literal({ type: 'number', text: '1' })] = given;
  const place = { pos: step.pos ?? call.pos };
  const by = numberOf(step);
  if (by?.digits === 0n) throw invalid(context, place, 'The step of generate_series is 0');
  const [from, to] = [numberOf(start), numberOf(stop)];
  if (from === null || to === null || by === null) return;
  const scale = Math.max(from.scale, to.scale, by.scale);
  const whole = (number: ExactNumber): bigint => number.digits * 10n ** BigInt(scale - number.scale);
  const rows = (whole(to) - whole(from)) / whole(by) + 1n;
  if (rows <= BigInt(SERIES_ROWS_MAX)) return;
  throw invalid(context, call, `generate_series would make more than ${SERIES_ROWS_MAX} rows`);
}

function numberOf(node: Expression | undefined): ExactNumber | null {
  return node?.kind === 'Literal' && node.value.type === 'number' ? parseNumber(node.value.text) : null;
}
