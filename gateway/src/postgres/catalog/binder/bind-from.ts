/**
 * FROM: relations, views, subqueries, functions, joins. One file, since each may hold any of the others: they call each
 * other in a ring.
 */
import type { Alias, JoinExpr, Node, RangeFunction, RangeVar, SelectStmt } from 'libpg-query';
import { FUNCTIONS } from '../functions/registry.ts';
import { parseStatements } from '../parser/parse.ts';
import { TYPE } from '../system/types.ts';
import { bindFunction } from './bind-function.ts';
import type { ExpressionBinder } from './bind-expression.ts';
import { bindBinary } from './bind-operator.ts';
import { columnName, quoteName, type Bound, type BoundQuery, type Field } from './bound.ts';
import { coerce } from './coerce.ts';
import type { BindContext, CatalogRelation } from './context.ts';
import { BindError, bindError, unsupported } from './errors.ts';
import { namesOf } from './node-names.ts';
import { outputName } from './output-name.ts';
import { commonType } from './resolve.ts';
import { emptyScope, type Scope, type ScopeColumn, type ScopeItem } from './scope.ts';
import { bindSet } from './sets.ts';

export interface FromBinder {
  readonly context: BindContext;
  readonly expressions: ExpressionBinder;
  readonly query: (context: BindContext, statement: SelectStmt, scope: Scope | null) => BoundQuery;
}

/** Something in FROM. */
export interface BoundFrom {
  readonly sql: string;
  readonly items: readonly ScopeItem[];
  readonly columns: readonly ScopeColumn[];
}

/** Columns that every table of PostgreSQL's has and `*` leaves out. */
const systemColumns = (oid: number): readonly ScopeColumn[] => [
  { name: 'tableoid', type: TYPE.oid, modifier: -1, sql: `CAST(${oid} AS BIGINT)`, isHidden: true },
  { name: 'xmin', type: TYPE.xid, modifier: -1, sql: 'CAST(1 AS BIGINT)', isHidden: true },
  { name: 'ctid', type: TYPE.tid, modifier: -1, sql: "'(0,1)'", isHidden: true },
];

/** Gives columns the names that an alias lists. */
function renamed(
  columns: readonly ScopeColumn[],
  names: readonly string[],
  alias: string,
  at: number,
): readonly ScopeColumn[] {
  const shown = columns.filter(({ isHidden }) => isHidden !== true).length;
  if (names.length > shown) {
    throw bindError(
      '42P10',
      `table "${alias}" has ${shown} columns available but ${names.length} columns specified`,
      at,
    );
  }
  return columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }));
}

function oneItem(sql: string, item: ScopeItem, alias: Alias | undefined, at: number): BoundFrom {
  const columns = renamed(item.columns, namesOf(alias?.colnames), item.alias, at);
  return { sql, items: [{ ...item, columns }], columns };
}

const fieldsAsColumns = (alias: string, fields: readonly Field[]): readonly ScopeColumn[] =>
  fields.map((field, i) => ({ ...field, sql: `${alias}.${columnName(i)}` }));

function ofQuery(
  query: BoundQuery,
  name: string,
  isLateral: boolean,
  sqlAlias: string,
  alias: Alias | undefined,
  at: number,
): BoundFrom {
  const item = { alias: name, schema: null, columns: fieldsAsColumns(sqlAlias, query.columns) };
  return oneItem(`${isLateral ? 'LATERAL ' : ''}(${query.sql}) ${sqlAlias}`, item, alias, at);
}

/** A place in a view's definition is none of the statement's. */
function placeless<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BindError ? new BindError(error.fields, -1) : error;
  }
}

export function bindView(
  { context, query }: FromBinder,
  { definition = '', columns }: CatalogRelation,
): BoundQuery {
  const [statement] = parseStatements(definition);
  if (statement === undefined || !('SelectStmt' in statement)) throw unsupported('a view');
  const inner: BindContext = { ...context, isView: true, commonTables: new Map() };
  const bound = placeless(() => query(inner, statement.SelectStmt, null));
  // Names and types are the view's own, as the catalog has them.
  return { sql: bound.sql, columns: columns.map((column, i) => ({ ...bound.columns[i], ...column })) };
}

function bindRelation(binder: FromBinder, range: RangeVar): BoundFrom {
  const { context } = binder;
  const at = range.location ?? -1;
  const name = range.relname ?? '';
  const schema = range.schemaname ?? null;
  const shown = range.alias?.aliasname ?? name;
  const sqlAlias = context.budget.nextAlias('f');
  const common = schema === null ? context.commonTables.get(name) : undefined;
  if (common !== undefined) {
    const item = { alias: shown, schema: null, columns: fieldsAsColumns(sqlAlias, common.columns) };
    return oneItem(`${common.table} ${sqlAlias}`, item, range.alias, at);
  }
  const found = context.names.relation(schema, name);
  if (found === null) {
    throw bindError('42P01', `relation "${schema === null ? '' : `${schema}.`}${name}" does not exist`, at);
  }
  const itemSchema = range.alias === undefined ? found.schema : null;
  if (found.table === undefined) {
    const bound = ofQuery(bindView(binder, found), shown, false, sqlAlias, range.alias, at);
    return { ...bound, items: bound.items.map((item) => ({ ...item, schema: itemSchema })) };
  }
  const columns = found.columns.map((column) => ({
    ...column,
    sql: `${sqlAlias}.${quoteName(column.name)}`,
  }));
  const key = columns.find((column) => column.name === 'oid')?.sql;
  const item = {
    alias: shown,
    schema: itemSchema,
    columns: [...columns, ...systemColumns(found.oid)],
    ...(key === undefined ? {} : { key }),
  };
  return oneItem(`${found.table} ${sqlAlias}`, item, range.alias, at);
}

/** What a call in FROM gives: a list's elements as rows, or one row. */
function callAsQuery(
  binder: FromBinder,
  call: Node,
  scope: Scope,
  withOrdinality: boolean,
  columnAlias: string | undefined,
): BoundQuery {
  const { context, expressions } = binder;
  const fromSet = 'FuncCall' in call ? bindSet(context, namesOf(call.FuncCall.funcname).at(-1) ?? '') : null;
  const name = outputName(call);
  if (fromSet !== null && !FUNCTIONS.has(name)) {
    if (!withOrdinality) return fromSet;
    const alias = context.budget.nextAlias('f');
    const cells = fromSet.columns.map((_, i) => `${alias}.${columnName(i)}`);
    return {
      sql: `SELECT ${cells.map((cell, i) => `${cell} AS ${columnName(i)}`).join(', ')}, row_number() OVER () AS ${columnName(cells.length)} FROM (${fromSet.sql}) ${alias}`,
      columns: [...fromSet.columns, { name: 'ordinality', type: TYPE.int8, modifier: -1 }],
    };
  }
  const bound: Bound =
    'FuncCall' in call
      ? bindFunction(context, expressions, call.FuncCall, scope)
      : expressions.expression(call, scope);
  const { sql, at: _, isSet, isComputed: __, literal: ___, parameter: ____, ...field } = bound;
  const fields = bound.fields ?? [{ ...field, name: columnAlias ?? name }];
  const ordinality = withOrdinality ? [{ name: 'ordinality', type: TYPE.int8, modifier: -1 }] : [];
  const columns = [...fields, ...ordinality];
  const list = isSet === true ? sql : `[${sql}]`;
  const alias = context.budget.nextAlias('u');
  const element =
    bound.fields === undefined
      ? [`${alias}.v`]
      : bound.fields.map((_, i) => `struct_extract(${alias}.v, 'f${i + 1}')`);
  const cells = [...element, ...(withOrdinality ? [`${alias}.n`] : [])].map(
    (cell, i) => `${cell} AS ${columnName(i)}`,
  );
  const rows = `SELECT unnest(${list}) AS v${withOrdinality ? `, unnest(range(1, len(${list}) + 1)) AS n` : ''}`;
  return { sql: `SELECT ${cells.join(', ')} FROM (${rows}) ${alias}`, columns };
}

function bindRangeFunction(binder: FromBinder, range: RangeFunction, scope: Scope): BoundFrom {
  const functions = range.functions ?? [];
  const [first] = functions;
  const call = first !== undefined && 'List' in first ? first.List.items?.[0] : first;
  if (call === undefined || functions.length > 1 || (range.coldeflist ?? []).length > 0)
    throw unsupported('ROWS FROM');
  const columnAlias = range.alias?.aliasname;
  const query = callAsQuery(binder, call, scope, range.ordinality === true, columnAlias);
  const name = columnAlias ?? outputName(call);
  return ofQuery(query, name, true, binder.context.budget.nextAlias('f'), range.alias, -1);
}

const JOINS: Readonly<Record<string, string>> = {
  JOIN_INNER: 'INNER JOIN',
  JOIN_LEFT: 'LEFT JOIN',
  JOIN_RIGHT: 'RIGHT JOIN',
  JOIN_FULL: 'FULL JOIN',
};

/** Columns that USING or NATURAL merge, and the condition that they stand for. */
function merged(
  binder: FromBinder,
  join: JoinExpr,
  left: BoundFrom,
  right: BoundFrom,
): { readonly condition: string; readonly columns: readonly ScopeColumn[] } {
  const { context } = binder;
  const shown = (from: BoundFrom): readonly ScopeColumn[] =>
    from.columns.filter(({ isHidden }) => isHidden !== true);
  const names =
    join.isNatural === true
      ? shown(left)
          .map(({ name }) => name)
          .filter((name) => shown(right).some((one) => one.name === name))
      : namesOf(join.usingClause);
  const find = (from: BoundFrom, name: string): ScopeColumn => {
    const found = from.columns.find((column) => column.name === name);
    if (found === undefined)
      throw bindError(
        '42703',
        `column "${name}" specified in USING clause does not exist in ${from === left ? 'left' : 'right'} table`,
      );
    return found;
  };
  const pairs = names.map((name) => [find(left, name), find(right, name)] as const);
  const conditions = pairs.map(
    ([a, b]) => bindBinary(context, '=', { ...a, at: -1 }, { ...b, at: -1 }, -1).sql,
  );
  const common = pairs.map(([a, b]): ScopeColumn => {
    if (join.jointype === 'JOIN_RIGHT') return b;
    if (join.jointype !== 'JOIN_FULL') return a;
    const type = commonType(context.system, [a.type, b.type]) ?? a.type;
    const [x, y] = [a, b].map((column) => coerce(context, { ...column, at: -1 }, type, 'explicit').sql);
    return { ...a, type, sql: `coalesce(${x ?? 'NULL'}, ${y ?? 'NULL'})` };
  });
  const rest = [...left.columns, ...right.columns].filter(({ name }) => !names.includes(name));
  return {
    condition: conditions.length === 0 ? 'true' : conditions.join(' AND '),
    columns: [...common, ...rest],
  };
}

function bindJoin(binder: FromBinder, join: JoinExpr, scope: Scope): BoundFrom {
  if (join.larg === undefined || join.rarg === undefined) throw unsupported('such a join');
  const left = bindFrom(binder, join.larg, scope);
  const beside: Scope = {
    items: [...scope.items, ...left.items],
    columns: [...scope.columns, ...left.columns],
    parent: scope.parent,
  };
  const right = bindFrom(binder, join.rarg, beside);
  const items = [...left.items, ...right.items];
  const word = JOINS[join.jointype ?? ''];
  if (word === undefined) throw unsupported('such a join');
  const rightSql = 'JoinExpr' in join.rarg ? `(${right.sql})` : right.sql;
  const isMerged = join.isNatural === true || (join.usingClause ?? []).length > 0;
  const both = isMerged ? merged(binder, join, left, right) : null;
  const columns = both?.columns ?? [...left.columns, ...right.columns];
  const inner: Scope = {
    items: [...scope.items, ...items],
    columns: [...scope.columns, ...columns],
    parent: scope.parent,
  };
  const condition =
    join.quals === undefined ? (both?.condition ?? null) : binder.expressions.condition(join.quals, inner);
  const sql =
    condition === null
      ? `${left.sql} CROSS JOIN ${rightSql}`
      : `${left.sql} ${word} ${rightSql} ON (${condition})`;
  if (join.alias?.aliasname === undefined) return { sql, items, columns };
  return oneItem(sql, { alias: join.alias.aliasname, schema: null, columns }, join.alias, -1);
}

/** `scope`: what stands before it in the same FROM, for LATERAL and functions. */
export function bindFrom(binder: FromBinder, node: Node, scope: Scope): BoundFrom {
  binder.context.budget.spend(-1);
  return binder.context.budget.enter(-1, () => {
    if ('RangeVar' in node) return bindRelation(binder, node.RangeVar);
    if ('JoinExpr' in node) return bindJoin(binder, node.JoinExpr, scope);
    if ('RangeFunction' in node) return bindRangeFunction(binder, node.RangeFunction, scope);
    if (
      'RangeSubselect' in node &&
      node.RangeSubselect.subquery !== undefined &&
      'SelectStmt' in node.RangeSubselect.subquery
    ) {
      const { alias, lateral = false, subquery } = node.RangeSubselect;
      const outer = lateral ? scope : scope.parent;
      const query = binder.query(binder.context, subquery.SelectStmt, outer);
      return ofQuery(query, alias?.aliasname ?? '', lateral, binder.context.budget.nextAlias('f'), alias, -1);
    }
    throw unsupported('what FROM names');
  });
}

/** All of FROM; its parts side by side. */
export function bindFromList(
  binder: FromBinder,
  nodes: readonly Node[],
  parent: Scope | null,
): { readonly sql: string; readonly scope: Scope } {
  let scope = emptyScope(parent);
  const parts: string[] = [];
  for (const node of nodes) {
    const { sql, items, columns } = bindFrom(binder, node, scope);
    for (const { alias } of items) {
      if (alias !== '' && scope.items.some((item) => item.alias === alias)) {
        throw bindError('42712', `table name "${alias}" specified more than once`);
      }
    }
    // Joins bind tighter than commas: each part is one operand.
    parts.push('JoinExpr' in node && nodes.length > 1 ? `(${sql})` : sql);
    scope = { items: [...scope.items, ...items], columns: [...scope.columns, ...columns], parent };
  }
  const sql = parts.length === 0 ? '' : ` FROM ${parts.join(' CROSS JOIN ')}`;
  return { sql, scope };
}
