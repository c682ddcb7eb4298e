/** Binding: names become columns of known tables, calls become functions of the list, parameters become literals. */
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { SqlRules } from '../catalog/description.ts';
import { withCtid } from '../catalog/segment-relation.ts';
import type { CatalogTable } from '../catalog/table.ts';
import { structureNumbers } from '../logical/structure.ts';
import type { BoundStatement } from '../logical/plan.ts';
import type { AstQuery, AstQueryBody, Position } from '../parser/ast.ts';
import { readByItsRules } from '../parser/postgresql/read-by-its-rules.ts';
import { bindQuery } from './bind-query.ts';
import type { StatementContext } from './context.ts';
import { statementError } from './errors.ts';
import { BINDER_LIMITS } from './limits.ts';
import { orderLists } from './ordered-lists.ts';
import { planInZone } from './session-zone/rewrite-plan.ts';
import { parameterReader, type Parameters } from './parameters.ts';
import type { TableName } from './table-names.ts';

export interface BindContext {
  /** The statement's text, for errors. */
  readonly sql: string;
  /** Tables that are resolved already. @throws PenstockError where there is none */
  readonly tables: (name: TableName) => CatalogTable;
  readonly parameters: Parameters;
  /** Whether a star has a last column of what its tables' items have besides; absent: it has not. */
  readonly withOthers?: boolean;
  /** The engine whose rules the statement is read by; absent: ours. */
  readonly rules?: SqlRules | undefined;
}

function tooManyColumns(sql: string): PenstockError {
  const max = BINDER_LIMITS.statementColumnsMax;
  const message = `More than ${max} columns in the tables, SELECTs and CTEs of the statement together`;
  return statementError('INVALID_QUERY', message, { sql, pos: undefined }, 'name the columns instead of *');
}

/** The first star among what the query shows: then the catalog says which columns there are. Null where there is none. */
function starOf(body: AstQueryBody): Position | null {
  switch (body.kind) {
    case 'Query':
      return starOf(body.body);
    case 'SetOperation':
      return starOf(body.left) ?? starOf(body.right);
    case 'Select':
      return body.items.find(({ kind }) => kind === 'Star')?.pos ?? null;
    case 'Values':
      return null;
  }
}

/** The body, whose stars have a column of all others. */
function withOthers<Body extends AstQueryBody>(body: Body): Body {
  switch (body.kind) {
    case 'Query':
      return { ...body, body: withOthers(body.body) };
    case 'SetOperation':
      return { ...body, left: withOthers(body.left), right: withOthers(body.right) };
    case 'Select':
      return {
        ...body,
        items: body.items.map((item) => (item.kind === 'Star' ? { ...item, withOthers: true } : item)),
      };
    case 'Values':
      return body;
  }
}

/**
 * Binds a statement.
 * @throws PenstockError COLUMN_NOT_FOUND, AMBIGUOUS_NAME, FUNCTION_NOT_FOUND, INVALID_QUERY or UNSUPPORTED_SQL, with the
 * place in the text and what to do
 */
export function bind(query: AstQuery, context: BindContext): BoundStatement {
  let columnIds = 0;
  let cteIds = 0;
  let compared = 0;
  let others = 0;
  const clock = { isRead: false };
  const warnings = new Set<string>();
  const isPostgresql = context.rules?.engine === 'postgresql';
  const parameters = parameterReader(context.parameters, context.sql);
  // A second description of each table, with what it remembers of itself, is for statements alone that may need it.
  const speaksOfCtid = isPostgresql && /ctid/i.test(context.sql);
  const statement: StatementContext = {
    sql: context.sql,
    newColumn: (name) => {
      if (columnIds === BINDER_LIMITS.statementColumnsMax) throw tooManyColumns(context.sql);
      return Object.freeze({ id: (columnIds += 1), name });
    },
    newCteId: () => (cteIds += 1),
    mayCompare: (columns) => (compared += columns) <= BINDER_LIMITS.naturalColumnsMax,
    table: speaksOfCtid ? (name) => withCtid(context.tables(name)) : context.tables,
    parameters,
    structureOf: structureNumbers(),
    isPostgresql,
    arrays: new Set(),
    warn: (warning) => warnings.add(warning),
    sawClock: () => (clock.isRead = true),
    endsWithOthers: (count) => (others = count),
    bindQuery: (inner, environment) => bindQuery(statement, inner, environment),
  };
  const read = isPostgresql ? readByItsRules(query) : query;
  const bound = context.withOthers === true ? withOthers(read) : read;
  const { plan, columns } = bindQuery(statement, bound, { outer: null, ctes: [] });
  parameters.checkAllTaken();
  const said = Object.freeze([...warnings]);
  const { sql, rules } = context;
  const inZone =
    rules === undefined
      ? plan
      : planInZone(plan, { zone: rules.timeZone ?? 'UTC', sql, newColumn: statement.newColumn });
  return Object.freeze({
    plan: orderLists(inZone, statement.newColumn),
    columns,
    warnings: said,
    columnCount: columnIds,
    star: starOf(query),
    others,
    ...(clock.isRead && { readsClock: true }),
  });
}
