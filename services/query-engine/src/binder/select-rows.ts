/** Calls that make rows in a SELECT list: each of its rows once for each row that the call makes. */
import { columnReference } from '../logical/build-expression.ts';
import { join } from '../logical/build-plan.ts';
import type { Expression } from '../logical/expression.ts';
import { referencesOf } from '../logical/references.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import type { AstExpression } from '../parser/ast.ts';
import { isTableFunction, partsMade, TABLE_FUNCTIONS } from '../parser/reader/table-functions.ts';
import { checkSeries, outerColumns, rowsAlone, rowsOver, type Rows } from './call-rows.ts';
import type { Calls } from './calls.ts';
import type { ExpressionContext, StatementContext } from './context.ts';
import { invalid, statementError } from './errors.ts';
import type { OverGroup } from './grouping.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

/** A reference to the column that will hold the rows' values; null of a call of anything else. */
export function bindRowsCall(
  node: Call,
  context: ExpressionContext,
  bind: (node: AstExpression, context: ExpressionContext) => Expression,
): Expression | null {
  const { name, pos } = node;
  const { calls, clause, statement } = context;
  if (!isTableFunction(name)) return null;
  const { min, max, said } = TABLE_FUNCTIONS[name];
  const given = node.arguments;
  if (node.star || node.distinct || node.orderBy.length > 0 || given.length < min || given.length > max)
    throw invalid(context, node, `${name} takes ${said}`);
  const refused = (what: string): Error =>
    statementError(
      'UNSUPPORTED_SQL',
      `Unsupported SQL: ${name} ${what}`,
      { sql: statement.sql, pos },
      'rows are made in FROM: FROM t CROSS JOIN UNNEST(t.list) AS u(x), or FROM GENERATE_SERIES(1, 10) AS g(n)',
    );
  if (/^EACH/.test(partsMade(name) ?? '')) throw refused('in a SELECT list');
  if (calls === null || clause !== 'SELECT' || node.over !== null || node.filter !== null)
    throw refused(`in ${clause === 'SELECT' ? 'a window' : clause}`);
  if (calls.rows.length > 0) throw refused('beside another such call in one SELECT list');
  const values = given.map((argument) => bind(argument, context));
  if (calls.rows.length > 0) throw refused('of what such a call makes');
  if (name === 'GENERATE_SERIES') checkSeries(values, node, context);
  const column = statement.newColumn(name.toLowerCase());
  calls.rows.push({ column, name, arguments: values, pos });
  return columnReference(column, pos);
}

/** The rows that the SELECT list is computed of, with those that its call makes. */
export function withSelectedRows(
  input: LogicalPlan,
  { rows: [call] }: Calls,
  over: OverGroup,
  statement: StatementContext,
): LogicalPlan {
  if (call === undefined) return input;
  const given = call.arguments.map(over);
  const rows: Rows = {
    ...{ given, columns: [call.column], place: statement.newColumn('place'), newColumn: statement.newColumn },
  };
  return outerColumns(given).size === 0
    ? join('cross', input, rowsAlone(call, rows), [])
    : rowsOver(input, false, call, rows);
}

/** Whether an expression is of what such a call makes. */
export function namesRows(node: Expression, { rows }: Calls): boolean {
  const [call] = rows;
  return call !== undefined && referencesOf(node).has(call.column.id);
}

/** What is chosen is computed for some rows only, so that it makes none. */
export const withinChoice = (context: ExpressionContext, clause: string): ExpressionContext =>
  context.clause === 'SELECT' ? { ...context, clause } : context;
