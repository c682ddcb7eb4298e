/** Binds functions of rows in FROM. */
import { filter, values } from '../logical/build-plan.ts';
import type { Column, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { Join, LogicalPlan } from '../logical/plan.ts';
import type { AstFromItem, Identifier } from '../parser/ast.ts';
import { partsMade } from '../parser/reader/table-functions.ts';
import { bindExpression } from './bind-expression.ts';
import { checkSeries, outerColumns, rowsAlone, rowsOver, type Rows } from './call-rows.ts';
import type { Environment, ExpressionContext, StatementContext } from './context.ts';
import { statementError } from './errors.ts';
import { NOTHING_VISIBLE, produces, type Visible } from './scope.ts';

type Call = Extract<AstFromItem, { readonly kind: 'TableFunction' }>;

/** Joins the function's rows to those of the items before it. Its columns come last. */
export type JoinOver = (left: LogicalPlan, kind: Join['join'], on: readonly Expression[]) => LogicalPlan;

/** A call's rows, and what they are known by. */
export interface BoundTableFunction {
  readonly columns: readonly Column[];
  readonly name: Identifier;
  /** @throws PenstockError UNSUPPORTED_SQL where the call refers to columns of the items before it */
  readonly plan: () => LogicalPlan;
  /** Where the call refers to columns: what makes its rows for each row of the items before it. Null elsewhere. */
  readonly over: JoinOver | null;
}

/** Elements have a column of this name. */
const ELEMENT = 'value';

/**
 * As in PostgreSQL, the alias names the one column too, where nothing else does.
 * @throws PenstockError INVALID_QUERY for constants that make no series, or too long a one
 */
export function bindTableFunction(
  statement: StatementContext,
  call: Call,
  environment: Environment,
  before: Visible = NOTHING_VISIBLE,
): BoundTableFunction {
  const scope = { ...NOTHING_VISIBLE, aliases: null, environment };
  const context: ExpressionContext = { statement, scope, clause: 'FROM', calls: null, windows: false };
  const given = call.arguments.map((argument) => bindExpression(argument, context));
  const name = call.alias ?? { name: call.name.toLowerCase(), quoted: false, pos: call.pos };
  const column = statement.newColumn(
    call.columnAliases[0]?.name ?? (partsMade(call.name)?.startsWith('ARRAY') === true ? ELEMENT : name.name),
  );
  const columns: Rows['columns'] = call.ordinality ? [column, statement.newColumn('ordinality')] : [column];
  if (call.name === 'GENERATE_SERIES') checkSeries(given, call, context);
  const rows: Rows = { given, columns, place: statement.newColumn('place'), newColumn: statement.newColumn };
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
    // Columns of a query around this one alone: the rows are those of a list that it gives.
    plan: () => {
      if ([...used].some((id) => produces(before, id))) throw misplaced();
      return rowsOver(values([], [[]]), false, call, rows);
    },
    over: (left, kind, on) => {
      const ids = new Set(outputColumns(left).map(({ id }) => id));
      if ([...used].some((id) => produces(before, id) && !ids.has(id))) throw misplaced();
      if (kind === 'left' && on.length > 0)
        throw refused(`LEFT JOIN with ${call.name} on a condition`, 'write ON TRUE, or filter in a subquery');
      if (kind === 'right' || kind === 'full') throw misplaced();
      return filter(rowsOver(left, kind === 'left', call, rows), on);
    },
  };
}
