/** Binds functions of rows in FROM: generate_series and unnest. */
import { columnReference, comparison, elementsOf, expression, literal } from '../logical/build-expression.ts';
import { filter, join, planNode, project, values } from '../logical/build-plan.ts';
import { parseNumber, type ExactNumber } from '../logical/exact-number.ts';
import type { Column, ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { Join, LogicalPlan, Series, Unnest } from '../logical/plan.ts';
import { walkExpressionDeep } from '../logical/visit.ts';
import type { AstFromItem, Identifier } from '../parser/ast.ts';
import { SERIES_ROWS_MAX } from '../limits.ts';
import { bindExpression } from './bind-expression.ts';
import type { Environment, ExpressionContext, StatementContext } from './context.ts';
import { invalid, statementError } from './errors.ts';
import { NOTHING_VISIBLE } from './scope.ts';

type Call = Extract<AstFromItem, { readonly kind: 'TableFunction' }>;

/** Joins the function's rows to those of the items before it. Its columns come last. */
export type JoinOver = (left: LogicalPlan, kind: Join['join'], on: readonly Expression[]) => LogicalPlan;

/** A call's rows, and what they are known by. */
export interface BoundTableFunction {
  readonly columns: readonly Column[];
  readonly name: Identifier;
  /** @throws PenstockError UNSUPPORTED_SQL where the call refers to columns */
  readonly plan: () => LogicalPlan;
  /** Where the call refers to columns: what makes its rows for each row of the items before it. Null elsewhere. */
  readonly over: JoinOver | null;
}

interface Rows {
  readonly given: readonly Expression[];
  readonly columns: readonly [Column] | readonly [Column, Column];
  /** For the places of a list that is written out. */
  readonly place: Column;
}

/**
 * As in PostgreSQL, the alias names the one column too, where no list of columns does.
 * @throws PenstockError INVALID_QUERY for constants that make no series, or too long a one
 */
export function bindTableFunction(
  statement: StatementContext,
  call: Call,
  environment: Environment,
): BoundTableFunction {
  const scope = { ...NOTHING_VISIBLE, aliases: null, environment };
  const context: ExpressionContext = { statement, scope, clause: 'FROM', calls: null, windows: false };
  const given = call.arguments.map((argument) => bindExpression(argument, context));
  const name = call.alias ?? { name: call.name.toLowerCase(), quoted: false, pos: call.pos };
  const column = statement.newColumn(call.columnAliases[0]?.name ?? name.name);
  const columns: Rows['columns'] = call.ordinality ? [column, statement.newColumn('ordinality')] : [column];
  if (call.name === 'GENERATE_SERIES') checkSeries(given, call, context);
  const rows = { given, columns, place: statement.newColumn('place') };
  const used = outerColumns(given);
  if (used.size === 0) return { columns, name, plan: () => rowsAlone(call, rows), over: null };
  const refused = (what: string, instead: string): Error => {
    const place = { sql: statement.sql, pos: call.pos };
    return statementError('UNSUPPORTED_SQL', `Unsupported SQL: ${what}`, place, instead);
  };
  const misplaced = (): Error =>
    refused(
      `${call.name} of a column that is not of the items joined before it`,
      'write FROM t CROSS JOIN UNNEST(t.list) before the other joins of the same FROM',
    );
  return {
    columns,
    name,
    plan: () => {
      throw misplaced();
    },
    over: (left, kind, on) => {
      const ids = new Set(outputColumns(left).map(({ id }) => id));
      if (!used.isSubsetOf(ids)) throw misplaced();
      if (call.name === 'GENERATE_SERIES')
        throw refused(
          'GENERATE_SERIES of a column',
          'join with a series of constants, ON a condition such as g.n <= t.n',
        );
      if (kind === 'left' && on.length > 0)
        throw refused('LEFT JOIN with UNNEST on a condition', 'write ON TRUE, or filter in a subquery');
      if (kind === 'right' || kind === 'full') throw misplaced();
      return filter(rowsOver(left, kind === 'left', call, rows), on);
    },
  };
}

/** Columns that are not made by subqueries of the expressions themselves. */
function outerColumns(roots: readonly Expression[]): ReadonlySet<ColumnId> {
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

function rowsAlone(call: Call, rows: Rows): LogicalPlan {
  const { given, columns } = rows;
  const [column, ordinality = null] = columns;
  const [list] = given;
  if (call.name === 'GENERATE_SERIES' || list === undefined)
    return planNode<Series>({ kind: 'Series', arguments: given, column, ordinality, pos: call.pos });
  const elements = elementsOf(list);
  if (elements === null) return rowsOver(values([], [[]]), false, call, rows);
  // The elements of a list that is written out keep their types.
  return values(
    columns,
    elements.map((element, i) => [element, placeOf(i)].slice(0, columns.length)),
  );
}

const placeOf = (index: number): Expression => literal({ type: 'number', text: String(index + 1) });

function rowsOver(input: LogicalPlan, outer: boolean, call: Call, rows: Rows): LogicalPlan {
  const { given, columns } = rows;
  const [column, ordinality = null] = columns;
  const [list] = given;
  if (list === undefined) throw new Error('UNNEST of nothing');
  const elements = elementsOf(list);
  if (elements === null || elements.length === 0)
    return planNode<Unnest>({ kind: 'Unnest', input, list, outer, column, ordinality, pos: call.pos });
  return overElements(input, elements, rows);
}

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
function checkSeries(given: readonly Expression[], call: Call, context: ExpressionContext): void {
  const [start, stop, step = literal({ type: 'number', text: '1' })] = given;
  const place = { pos: call.arguments[2]?.pos ?? call.pos };
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
