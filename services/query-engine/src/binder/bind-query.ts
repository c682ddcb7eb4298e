/** Binds whole queries: WITH, SELECT, VALUES, set operations, and the ORDER BY and LIMIT around them. */
import { columnReference } from '../logical/build-expression.ts';
import { limit, setOperation, sort, values, withCtes } from '../logical/build-plan.ts';
import type { Column, SortKey } from '../logical/expression.ts';
import type { Cte, LogicalPlan } from '../logical/plan.ts';
import type {
  AstCte,
  AstQuery,
  AstQueryBody,
  AstSetOperation,
  AstSortKey,
  AstValues,
} from '../parser/ast.ts';
import { bindExpression } from './bind-expression.ts';
import { bindRecursion } from './bind-recursion.ts';
import { bindSelect, type Tail } from './bind-select.ts';
import type { BoundQuery, CteBinding, Environment, ExpressionContext, StatementContext } from './context.ts';
import { invalid, statementError } from './errors.ts';
import { positionOf, refuseConstant } from './grouping.ts';
import { bindRowLimit } from './row-limit.ts';
import { columnsRelation, NOTHING_VISIBLE, onlyVisible } from './scope.ts';
import { sortKey } from './sort-key.ts';
import { isArray, newColumns } from './sql-arrays.ts';
import { namesItself } from './table-names.ts';

const NO_TAIL: Tail = Object.freeze({ orderBy: [], limit: { count: null, offset: 0 } });

const OPERATORS = { UNION: 'union', INTERSECT: 'intersect', EXCEPT: 'except' } as const;

/** Where no row is in sight: VALUES, LIMIT. */
function rowless(statement: StatementContext, environment: Environment, clause: string): ExpressionContext {
  const scope = { ...NOTHING_VISIBLE, aliases: null, environment };
  return { statement, scope, clause, calls: null, windows: false };
}

export function bindQuery(
  statement: StatementContext,
  query: AstQuery,
  environment: Environment,
): BoundQuery {
  const plans: Cte[] = [];
  let ctes = environment.ctes;
  for (const cte of query.with) {
    const bindNamed = query.recursive && namesItself(cte) ? bindRecursion : bindCte;
    const { binding, plan } = bindNamed(statement, cte, { ...environment, ctes });
    plans.push(plan);
    ctes = [...ctes, binding];
  }
  const inner = { ...environment, ctes };
  const tail: Tail = {
    orderBy: query.orderBy,
    limit: bindRowLimit(query.limit, query.offset, rowless(statement, inner, 'LIMIT')),
  };
  const { plan, columns } = bindBody(statement, query.body, tail, inner);
  return { plan: withCtes(plans, plan), columns };
}

function bindCte(
  statement: StatementContext,
  cte: AstCte,
  environment: Environment,
): { readonly binding: CteBinding; readonly plan: Cte } {
  const name = cte.name.name;
  const bound = bindQuery(statement, cte.query, environment);
  if (cte.columns.length > bound.columns.length) {
    throw statementError(
      'INVALID_QUERY',
      `${name} has ${bound.columns.length} columns, but ${cte.columns.length} names are given`,
      { sql: statement.sql, pos: cte.columns[bound.columns.length]?.pos },
    );
  }
  const columns = bound.columns.map((column, i) => ({
    ...column,
    name: cte.columns[i]?.name ?? column.name,
  }));
  const id = statement.newCteId();
  return { binding: { id, name, columns, isStep: false }, plan: { id, name, plan: bound.plan } };
}

function bindBody(
  statement: StatementContext,
  body: AstQueryBody,
  tail: Tail,
  environment: Environment,
): BoundQuery {
  if (body.kind === 'Select') return bindSelect(statement, body, tail, environment);
  const bound =
    body.kind === 'Query'
      ? bindQuery(statement, body, environment)
      : body.kind === 'Values'
        ? bindValues(statement, body, environment)
        : bindSetOperation(statement, body, environment);
  const keys = tail.orderBy.map((key) => outputKey(statement, key, bound.columns, environment));
  const { count, offset } = tail.limit;
  return { plan: limit(sort(bound.plan, keys), count, offset), columns: bound.columns };
}

function bindSetOperation(
  statement: StatementContext,
  node: AstSetOperation,
  environment: Environment,
): BoundQuery {
  // A long chain leans to the left; taking it apart here keeps the stack flat.
  const chain: AstSetOperation[] = [];
  let leftmost: AstQueryBody = node;
  while (leftmost.kind === 'SetOperation') {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  let bound = bindBody(statement, leftmost, NO_TAIL, environment);
  for (const operation of chain.reverse()) {
    const right = bindBody(statement, operation.right, NO_TAIL, environment);
    if (right.columns.length !== bound.columns.length) {
      const counts = `${bound.columns.length} columns on the left, ${right.columns.length} on the right`;
      const place = { sql: statement.sql, pos: operation.right.pos };
      throw statementError(
        'INVALID_QUERY',
        `${operation.operator} needs the same columns on both sides: ${counts}`,
        place,
      );
    }
    const columns = newColumns(statement, bound.columns);
    const operator = OPERATORS[operation.operator];
    bound = { plan: setOperation(operator, operation.all, bound.plan, right.plan, columns), columns };
  }
  return bound;
}

function bindValues(statement: StatementContext, node: AstValues, environment: Environment): BoundQuery {
  const context = rowless(statement, environment, 'VALUES');
  const width = node.rows[0]?.length ?? 0;
  const rows = node.rows.map((row) => {
    if (row.length !== width)
      throw invalid(context, row[0] ?? node, `Rows of VALUES have ${width} and ${row.length} columns`);
    return row.map((value) => bindExpression(value, context));
  });
  const columns = Array.from({ length: width }, (_, i) => statement.newColumn(`column${i + 1}`));
  for (const [i, { id }] of columns.entries())
    if (node.rows.some(({ [i]: value }) => value !== undefined && isArray(value, context)))
      statement.arrays.add(id);
  const plan: LogicalPlan = values(columns, rows);
  return { plan, columns };
}

/** ORDER BY of a set operation or VALUES: by position or output name, or an expression of these. */
function outputKey(
  statement: StatementContext,
  key: AstSortKey,
  columns: readonly Column[],
  environment: Environment,
): SortKey {
  const context = rowless(statement, environment, 'ORDER BY');
  refuseConstant(key.expression, 'ORDER BY', context);
  const position = positionOf(key.expression);
  if (position !== null) {
    const column = columns[position - 1];
    if (column === undefined) {
      throw invalid(
        context,
        key.expression,
        `ORDER BY ${position} names no column: the query has ${columns.length}`,
      );
    }
    return sortKey(columnReference(column, key.expression.pos), key, statement.arrays.has(column.id));
  }
  const scope = { ...onlyVisible(columnsRelation(null, columns)), aliases: null, environment };
  const bound = bindExpression(key.expression, { ...context, scope });
  return sortKey(bound, key, isArray(key.expression, { ...context, scope }));
}
