/**
 * Binds queries that name themselves: WITH RECURSIVE r AS (… UNION [ALL] …), by PostgreSQL's rules. The first part is what
 * the query begins with; the second names the query once, for the rows that came last.
 */
import { recursion } from '../logical/build-plan.ts';
import { outputColumns } from '../logical/output.ts';
import type { Cte, LogicalPlan, RecursionScan } from '../logical/plan.ts';
import { referencesInPlan } from '../logical/references.ts';
import { expressionsOf, inputsOf, walkDeep, walkExpressionDeep } from '../logical/visit.ts';
import type { AstCte, AstSetOperation, Position } from '../parser/ast.ts';
import type { CteBinding, Environment, StatementContext } from './context.ts';
import { statementError } from './errors.ts';
import { newColumns } from './sql-arrays.ts';

interface Place {
  readonly sql: string;
  readonly pos: Position;
}

const unsupported = (what: string, place: Place, instead: string): Error =>
  statementError('UNSUPPORTED_SQL', `Unsupported SQL: ${what}`, place, instead);

/** The two parts of the query. */
function partsOf({ name: { name }, query, pos }: AstCte, sql: string): AstSetOperation {
  const { body } = query;
  const place = { sql, pos };
  if (body.kind !== 'SetOperation' || body.operator !== 'UNION')
    throw unsupported(
      `${name} names itself, but is no UNION`,
      place,
      `write ${name} AS (SELECT … UNION ALL SELECT … FROM ${name} …)`,
    );
  if (query.with.length > 0)
    throw unsupported(`WITH inside of ${name}, which names itself`, place, 'put it before');
  return body;
}

/** The only use of the rows that came last; null where it is none, or one where they can't be handed to a step. */
function useOf(step: LogicalPlan, id: number): RecursionScan | string {
  let found: RecursionScan | null = null;
  let wrong: string | null = null;
  const isUse = (node: LogicalPlan): node is RecursionScan =>
    node.kind === 'RecursionScan' && node.recursionId === id;
  /** `at`: what the rows go through that needs all of them, or none. */
  const visit = (node: LogicalPlan, at: string | null): void => {
    if (isUse(node)) {
      wrong ??= found === null ? at : 'twice';
      found = node;
    }
    for (const root of expressionsOf(node))
      walkExpressionDeep(root, {
        plan: (inner) => {
          if (isUse(inner)) wrong ??= 'in a subquery of an expression';
        },
      });
    inputsOf(node).forEach((input, i) => visit(input, at ?? whereIn(node, i)));
  };
  visit(step, null);
  walkDeep(step, {
    plan: (node) => {
      if (node.kind === 'Recursion') wrong ??= 'beside another query that does so';
    },
  });
  return wrong ?? found ?? 'nowhere in the SELECT after UNION';
}

/** What is wrong with naming the query in that input of the node. */
function whereIn(node: LogicalPlan, input: number): string | null {
  switch (node.kind) {
    case 'Join':
      if (node.join === 'full' || node.join === (input === 0 ? 'right' : 'left'))
        return 'on the side of an outer join that may be missing';
      return null;
    case 'Aggregate':
      return 'under GROUP BY or an aggregate';
    case 'SetOperation':
      return node.operator === 'union' ? null : `in ${node.operator.toUpperCase()}`;
    case 'Recursion':
    case 'With':
      return 'in another WITH';
    default:
      return null;
  }
}

/** Whether all that the query names is in it: no column of the query around it. */
function isClosed(plan: LogicalPlan): boolean {
  const produced = new Set<number>();
  walkDeep(plan, {
    plan: (node) => {
      for (const { id } of outputColumns(node)) produced.add(id);
    },
  });
  return [...referencesInPlan(plan)].every((id) => produced.has(id));
}

/**
 * @throws PenstockError UNSUPPORTED_SQL where the query names itself where no step can be made of it, INVALID_QUERY where
 *   its parts have other columns
 */
export function bindRecursion(
  statement: StatementContext,
  cte: AstCte,
  environment: Environment,
): { readonly binding: CteBinding; readonly plan: Cte } {
  const { sql } = statement;
  const { name } = cte.name;
  const { all, left, right } = partsOf(cte, sql);
  const bindPart = (body: AstSetOperation['left'], ctes: Environment['ctes']) =>
    statement.bindQuery({ ...cte.query, body }, { ...environment, ctes });
  const base = bindPart(left, environment.ctes);
  if (cte.columns.length > base.columns.length)
    throw statementError(
      'INVALID_QUERY',
      `${name} has ${base.columns.length} columns, but ${cte.columns.length} names are given`,
      { sql, pos: cte.columns[base.columns.length]?.pos },
    );
  const id = statement.newCteId();
  const columns = newColumns(
    statement,
    base.columns.map((column, i) => ({ ...column, name: cte.columns[i]?.name ?? column.name })),
  );
  const last: CteBinding = { id, name, columns, isStep: true };
  const step = bindPart(right, [...environment.ctes, last]);
  if (step.columns.length !== columns.length) {
    const counts = `${columns.length} columns before, ${step.columns.length} after`;
    throw statementError('INVALID_QUERY', `UNION needs the same columns on both sides: ${counts}`, {
      sql,
      pos: right.pos,
    });
  }
  const use = useOf(step.plan, id);
  if (typeof use === 'string')
    throw unsupported(
      `${name} names itself ${use}`,
      { sql, pos: right.pos },
      `name it once, in FROM of the SELECT after UNION`,
    );
  const plan = recursion({ id, name, all, base: base.plan, step: step.plan, columns });
  if (!isClosed(plan))
    throw unsupported(
      `${name} names itself, and columns of the query around it`,
      { sql, pos: cte.pos },
      `let ${name} have these columns, and join it`,
    );
  const cteId = statement.newCteId();
  return { binding: { id: cteId, name, columns, isStep: false }, plan: { id: cteId, name, plan } };
}
