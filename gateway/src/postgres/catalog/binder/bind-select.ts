/**
 * Queries: SELECT, VALUES, set operations, common table expressions. Longer than other files, since each of these holds the
 * others.
 */
import type { CommonTableExpr, Node, SelectStmt } from 'libpg-query';
import { raise } from '../functions/call.ts';
import { REPEATED_BYTES_MAX } from '../limits.ts';
import { TYPE } from '../system/types.ts';
import { bindFromList, type FromBinder } from './bind-from.ts';
import { createExpressionBinder, sortKey, type ExpressionBinder } from './bind-expression.ts';
import { columnName, type Assignment, type Bound, type BoundQuery, type Field } from './bound.ts';
import { coerce, orText } from './coerce.ts';
import type { BindContext, CommonTable } from './context.ts';
import { bindError, unsupported } from './errors.ts';
import { namesOf } from './node-names.ts';
import { outputName } from './output-name.ts';
import { commonType } from './resolve.ts';
import { emptyScope, findItem, type Scope } from './scope.ts';
import { isTextual, typeLabel } from './type-facts.ts';

interface Target {
  readonly name: string;
  readonly bound: Bound;
  readonly node?: Node;
}

/** Types of columns that nothing gave a type stay open until a set operation or the end says. */
type Open = 'open' | 'text';

/** The query as the engine is to run it. */
export function bindQuery(context: BindContext, statement: SelectStmt, parent: Scope | null): BoundQuery {
  return select(context, statement, parent, 'text');
}

function select(context: BindContext, statement: SelectStmt, parent: Scope | null, open: Open): BoundQuery {
  context.budget.spend(-1);
  return context.budget.enter(-1, () => {
    const { prefix, inner } = withClause(context, statement, parent);
    const query = body(inner, statement, parent, open);
    return { ...query, sql: `${prefix}${query.sql}` };
  });
}

function body(context: BindContext, statement: SelectStmt, parent: Scope | null, open: Open): BoundQuery {
  if ((statement.lockingClause ?? []).length > 0)
    throw bindError('25006', 'cannot lock rows of system catalogs');
  if (statement.intoClause !== undefined)
    throw bindError('25006', 'cannot execute SELECT INTO in a read-only transaction');
  if (statement.op !== 'SETOP_NONE' && statement.op !== undefined)
    return setOperation(context, statement, parent);
  if ((statement.valuesLists ?? []).length > 0) return values(context, statement, parent, open);
  return plainSelect(context, statement, parent, open);
}

/** Common table expressions, under names that are nobody else's. */
function withClause(
  context: BindContext,
  { withClause: clause }: SelectStmt,
  parent: Scope | null,
): { readonly prefix: string; readonly inner: BindContext } {
  if (clause === undefined) return { prefix: '', inner: context };
  let inner = context;
  const parts: string[] = [];
  for (const node of clause.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue;
    const { name, table, sql } = commonTable(inner, node.CommonTableExpr, clause.recursive === true, parent);
    parts.push(sql);
    inner = { ...inner, commonTables: new Map([...inner.commonTables, [name, table]]) };
  }
  return { prefix: `WITH ${clause.recursive === true ? 'RECURSIVE ' : ''}${parts.join(', ')} `, inner };
}

function commonTable(
  context: BindContext,
  expression: CommonTableExpr,
  isRecursive: boolean,
  parent: Scope | null,
): { readonly name: string; readonly table: CommonTable; readonly sql: string } {
  const { ctename: name = '', ctequery } = expression;
  if (ctequery === undefined || !('SelectStmt' in ctequery))
    throw bindError('25006', 'cannot write in a read-only transaction', expression.location);
  const names = namesOf(expression.aliascolnames);
  const table = context.budget.nextAlias('w');
  const called = (columns: readonly Field[]): readonly Field[] =>
    columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }));
  const listed = (columns: readonly Field[]): string => columns.map((_, i) => columnName(i)).join(', ');
  const statement = ctequery.SelectStmt;
  if (
    isRecursive &&
    statement.op === 'SETOP_UNION' &&
    statement.larg !== undefined &&
    statement.rarg !== undefined
  ) {
    const { prefix, inner } = withClause(context, statement, parent);
    const left = select(inner, statement.larg, parent, 'text');
    const columns = called(left.columns);
    const own = { ...inner, commonTables: new Map([...inner.commonTables, [name, { table, columns }]]) };
    const right = typed(
      own,
      select(own, statement.rarg, parent, 'open'),
      left.columns.map(({ type }) => type),
    );
    const round = withBoundedTexts(own, right);
    const sql = `${table}(${listed(columns)}) AS (${prefix}${left.sql} UNION ${statement.all === true ? 'ALL ' : ''}${round.sql})`;
    return { name, table: { table, columns }, sql };
  }
  const query = bindQuery(context, statement, parent);
  const columns = called(query.columns);
  return { name, table: { table, columns }, sql: `${table}(${listed(columns)}) AS (${query.sql})` };
}

/**
 * A text that each round of a recursion makes twice as long would take a gigabyte between two looks at the worker's memory
 * (measured: 1.4 GB): it may have no more bytes than a text that `repeat` makes.
 */
function withBoundedTexts(context: BindContext, query: BoundQuery): BoundQuery {
  if (!query.columns.some(({ type }) => isTextual(context.system, type))) return query;
  const alias = context.budget.nextAlias('q');
  const tooLong = raise('54000', `a text would have more than ${REPEATED_BYTES_MAX} bytes`);
  const cells = query.columns.map(({ type }, i) => {
    const cell = `${alias}.${columnName(i)}`;
    const sql = isTextual(context.system, type)
      ? `CASE WHEN strlen(${cell}) > ${REPEATED_BYTES_MAX} THEN ${tooLong} ELSE ${cell} END`
      : cell;
    return `${sql} AS ${columnName(i)}`;
  });
  return { ...query, sql: `SELECT ${cells.join(', ')} FROM (${query.sql}) ${alias}` };
}

/** Rows with columns of these types. */
function typed(context: BindContext, query: BoundQuery, types: readonly number[]): BoundQuery {
  if (query.columns.every(({ type }, i) => type === types[i])) return query;
  const alias = context.budget.nextAlias('q');
  const cells = query.columns.map(({ name: _, ...column }, i) => {
    const source = {
      ...column,
      sql: `${alias}.${columnName(i)}`,
      at: -1,
      type: column.type === TYPE.unknown ? TYPE.text : column.type,
    };
    return `${coerce(context, source, types[i] ?? TYPE.text, 'explicit').sql} AS ${columnName(i)}`;
  });
  return {
    sql: `SELECT ${cells.join(', ')} FROM (${query.sql}) ${alias}`,
    columns: query.columns.map((column, i) => ({ ...column, type: types[i] ?? TYPE.text })),
  };
}

const SET_OPERATIONS: Readonly<Record<string, string>> = {
  SETOP_UNION: 'UNION',
  SETOP_INTERSECT: 'INTERSECT',
  SETOP_EXCEPT: 'EXCEPT',
};

function setOperation(context: BindContext, statement: SelectStmt, parent: Scope | null): BoundQuery {
  if (statement.larg === undefined || statement.rarg === undefined) throw unsupported('such a set operation');
  const left = select(context, statement.larg, parent, 'open');
  const right = select(context, statement.rarg, parent, 'open');
  const word = SET_OPERATIONS[statement.op ?? ''] ?? 'UNION';
  if (left.columns.length !== right.columns.length) {
    throw bindError('42601', `each ${word} query must have the same number of columns`);
  }
  const types = left.columns.map(({ type }, i) => {
    const other = right.columns[i]?.type ?? TYPE.text;
    const common = commonType(context.system, [type, other]);
    if (common === null) {
      const [a, b] = [type, other].map((one) => typeLabel(context.system, one));
      throw bindError('42804', `${word} types ${a ?? ''} and ${b ?? ''} cannot be matched`);
    }
    return common;
  });
  const [a, b] = [typed(context, left, types), typed(context, right, types)];
  const sql = `(${a.sql}) ${word}${statement.all === true ? ' ALL' : ''} (${b.sql})`;
  return ordered(context, { sql, columns: a.columns }, statement, parent);
}

/** ORDER BY and LIMIT of what has columns alone, no tables. */
function ordered(
  context: BindContext,
  query: BoundQuery,
  statement: SelectStmt,
  parent: Scope | null,
): BoundQuery {
  const sort = statement.sortClause ?? [];
  if (sort.length === 0 && statement.limitCount === undefined && statement.limitOffset === undefined)
    return query;
  const alias = context.budget.nextAlias('q');
  const columns = query.columns.map((column, i) => ({ ...column, sql: `${alias}.${columnName(i)}` }));
  const scope: Scope = { items: [], columns, parent };
  const expressions = createExpressionBinder(context, bindQuery);
  const targets = columns.map((column): Target => ({ name: column.name, bound: { ...column, at: -1 } }));
  const keys = sortKeys(context, expressions, sort, targets, scope);
  const cells = columns.map(({ sql }, i) => `${sql} AS ${columnName(i)}`);
  const sql = `SELECT ${cells.join(', ')} FROM (${query.sql}) ${alias}${keys}${limits(context, expressions, statement)}`;
  return { ...query, sql };
}

function values(context: BindContext, statement: SelectStmt, parent: Scope | null, open: Open): BoundQuery {
  const expressions = createExpressionBinder(context, bindQuery);
  const scope = emptyScope(parent);
  const rows = (statement.valuesLists ?? []).map((row) =>
    'List' in row ? (row.List.items ?? []).map((node) => expressions.expression(node, scope)) : [],
  );
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width))
    throw bindError('42601', 'VALUES lists must all be the same length');
  const isOpen = (column: number): boolean =>
    open === 'open' && rows.every((row) => row[column]?.type === TYPE.unknown);
  const types = Array.from({ length: width }, (_, i) => {
    if (isOpen(i)) return TYPE.unknown;
    const common = commonType(
      context.system,
      rows.map((row) => row[i]?.type ?? TYPE.unknown),
    );
    if (common === null) throw bindError('42804', 'VALUES types cannot be matched');
    return common;
  });
  const lines = rows.map((row) => {
    const cells = row.map((bound, i) =>
      types[i] === TYPE.unknown ? bound.sql : coerce(context, bound, types[i] ?? TYPE.text, 'explicit').sql,
    );
    return `(${cells.join(', ')})`;
  });
  const columns = types.map((type, i): Field => ({ name: `column${i + 1}`, type, modifier: -1 }));
  const alias = context.budget.nextAlias('q');
  const names = columns.map((_, i) => columnName(i)).join(', ');
  const sql = `SELECT ${names} FROM (VALUES ${lines.join(', ')}) ${alias}(${names})`;
  return ordered(context, { sql, columns }, statement, parent);
}

/** `*` and `t.*` as columns. */
function expandStar(scope: Scope, node: Node): readonly Target[] | null {
  if (!('ColumnRef' in node) || !(node.ColumnRef.fields ?? []).some((field) => 'A_Star' in field))
    return null;
  const at = node.ColumnRef.location ?? -1;
  const parts = namesOf(node.ColumnRef.fields);
  const alias = parts.at(-1);
  const item = alias === undefined ? null : findItem(scope, alias, parts.at(-2) ?? null);
  if (alias !== undefined && item === null)
    throw bindError('42P01', `missing FROM-clause entry for table "${alias}"`, at);
  const columns = item?.columns ?? scope.columns;
  if (alias === undefined && columns.length === 0)
    throw bindError('42601', 'SELECT * with no tables specified is not valid', at);
  return columns
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ name, isHidden: _, ...column }) => ({ name, bound: { ...column, at } }));
}

/** `(f(x)).*`: the fields of a composite value. */
function expandFields(expressions: ExpressionBinder, scope: Scope, node: Node): readonly Target[] | null {
  if (!('A_Indirection' in node) || node.A_Indirection.arg === undefined) return null;
  const steps = node.A_Indirection.indirection ?? [];
  if (!steps.some((step) => 'A_Star' in step)) return null;
  const { fields = [] } = expressions.expression(node.A_Indirection.arg, scope);
  const { arg } = node.A_Indirection;
  return fields.map(({ name }) => ({
    name,
    bound: expressions.expression(
      { A_Indirection: { arg, indirection: [{ String: { sval: name } }] } },
      scope,
    ),
  }));
}

/** `set_config(name, value, is_local)` as a column: the value, which the session takes when a row comes. */
function assignment(
  context: BindContext,
  expressions: ExpressionBinder,
  scope: Scope,
  node: Node,
): { readonly name: string; readonly bound: Bound } | null {
  if (!('FuncCall' in node) || namesOf(node.FuncCall.funcname).at(-1) !== 'set_config') return null;
  const [name, value] = node.FuncCall.args ?? [];
  if (name === undefined || value === undefined) return null;
  const setting = expressions.expression(name, scope).literal;
  if (typeof setting !== 'string') throw unsupported('set_config of a computed name', node.FuncCall.location);
  return {
    name: setting,
    bound: coerce(context, expressions.expression(value, scope), TYPE.text, 'explicit'),
  };
}

function targetsOf(
  context: BindContext,
  expressions: ExpressionBinder,
  scope: Scope,
  nodes: readonly Node[],
  open: Open,
): { readonly targets: readonly Target[]; readonly assignments: readonly Assignment[] } {
  const targets: Target[] = [];
  const assignments: Assignment[] = [];
  for (const node of nodes) {
    if (!('ResTarget' in node) || node.ResTarget.val === undefined) continue;
    const { val, name } = node.ResTarget;
    const many = expandStar(scope, val) ?? expandFields(expressions, scope, val);
    if (many !== null) {
      targets.push(...many);
      continue;
    }
    const set = assignment(context, expressions, scope, val);
    if (set !== null) assignments.push({ column: targets.length, name: set.name });
    const bound = set?.bound ?? expressions.expression(val, scope);
    targets.push({
      name: name ?? outputName(val),
      bound:
        open === 'open' && bound.literal !== undefined && bound.type === TYPE.unknown
          ? bound
          : orText(context, bound),
      node: val,
    });
  }
  return { targets, assignments };
}

const ordinalOf = (node: Node): number | null => {
  if (!('A_Const' in node) || node.A_Const.ival === undefined) return null;
  return node.A_Const.ival.ival ?? 0;
};

const bareName = (node: Node): string | null => {
  if (!('ColumnRef' in node)) return null;
  const names = namesOf(node.ColumnRef.fields);
  return names.length === 1 && node.ColumnRef.fields?.length === 1 ? (names[0] ?? null) : null;
};

function atPlace(targets: readonly Target[], place: number, clause: string, at: number): Target {
  const target = targets[place - 1];
  if (target === undefined) throw bindError('42P10', `${clause} position ${place} is not in select list`, at);
  return target;
}

function sortKeys(
  context: BindContext,
  expressions: ExpressionBinder,
  nodes: readonly Node[],
  targets: readonly Target[],
  scope: Scope,
): string {
  const keys = nodes.flatMap((node) => {
    if (!('SortBy' in node) || node.SortBy.node === undefined) return [];
    const { node: key, sortby_dir, sortby_nulls } = node.SortBy;
    const ordinal = ordinalOf(key);
    const name = bareName(key);
    const named = name === null ? -1 : targets.findIndex((target) => target.name === name);
    if (ordinal !== null) atPlace(targets, ordinal, 'ORDER BY', node.SortBy.location ?? -1);
    const place = ordinal ?? (named >= 0 ? named + 1 : null);
    return [
      sortKey(
        place === null ? orText(context, expressions.expression(key, scope)).sql : String(place),
        sortby_dir,
        sortby_nulls,
      ),
    ];
  });
  return keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
}

function limits(
  context: BindContext,
  expressions: ExpressionBinder,
  { limitCount, limitOffset, limitOption }: SelectStmt,
): string {
  if (limitOption === 'LIMIT_OPTION_WITH_TIES') throw unsupported('WITH TIES');
  const number = (node: Node): string =>
    coerce(context, expressions.expression(node, emptyScope(null)), TYPE.int8, 'explicit').sql;
  const isAll = limitCount === undefined || ('A_Const' in limitCount && limitCount.A_Const.isnull === true);
  return `${isAll ? '' : ` LIMIT ${number(limitCount)}`}${limitOffset === undefined ? '' : ` OFFSET ${number(limitOffset)}`}`;
}

/** Groups by an OID group by all else of that row too, as its primary key does in PostgreSQL. */
function withDependents(scope: Scope, keys: readonly string[]): readonly string[] {
  const all = new Set(keys);
  for (const { key, columns } of scope.items) {
    if (key === undefined || !all.has(key)) continue;
    for (const column of columns) if (column.isHidden !== true) all.add(column.sql);
  }
  return [...all];
}

function groupBy(
  context: BindContext,
  expressions: ExpressionBinder,
  nodes: readonly Node[],
  targets: readonly Target[],
  scope: Scope,
): string {
  if (nodes.length === 0) return '';
  const keys = nodes.map((node) => {
    if ('GroupingSet' in node) throw unsupported('GROUPING SETS', node.GroupingSet.location);
    const ordinal = ordinalOf(node);
    if (ordinal !== null) return atPlace(targets, ordinal, 'GROUP BY', -1).bound.sql;
    const name = bareName(node);
    const isColumn = name !== null && scope.columns.some((column) => column.name === name);
    const target = name === null || isColumn ? undefined : targets.find((one) => one.name === name);
    return target?.bound.sql ?? orText(context, expressions.expression(node, scope)).sql;
  });
  return ` GROUP BY ${withDependents(scope, keys).join(', ')}`;
}

function distinctClause(
  context: BindContext,
  expressions: ExpressionBinder,
  statement: SelectStmt,
  targets: readonly Target[],
  scope: Scope,
): string {
  const nodes = statement.distinctClause;
  if (nodes === undefined || nodes.length === 0) return '';
  const on = nodes.flatMap((node) => {
    if (Object.keys(node).length === 0) return [];
    const ordinal = ordinalOf(node);
    if (ordinal !== null) return [atPlace(targets, ordinal, 'SELECT DISTINCT ON', -1).bound.sql];
    const name = bareName(node);
    const target = name === null ? undefined : targets.find((one) => one.name === name);
    return [target?.bound.sql ?? orText(context, expressions.expression(node, scope)).sql];
  });
  return on.length === 0 ? 'DISTINCT ' : `DISTINCT ON (${on.join(', ')}) `;
}

function plainSelect(
  context: BindContext,
  statement: SelectStmt,
  parent: Scope | null,
  open: Open,
): BoundQuery {
  const expressions = createExpressionBinder(context, bindQuery);
  const binder: FromBinder = { context, expressions, query: bindQuery };
  const from = bindFromList(binder, statement.fromClause ?? [], parent);
  const { scope } = from;
  const where =
    statement.whereClause === undefined
      ? ''
      : ` WHERE ${expressions.condition(statement.whereClause, scope)}`;
  const { targets, assignments } = targetsOf(context, expressions, scope, statement.targetList ?? [], open);
  const group = groupBy(context, expressions, statement.groupClause ?? [], targets, scope);
  const having =
    statement.havingClause === undefined
      ? ''
      : ` HAVING ${expressions.condition(statement.havingClause, scope)}`;
  const distinct = distinctClause(context, expressions, statement, targets, scope);
  const order = sortKeys(context, expressions, statement.sortClause ?? [], targets, scope);
  const cells = targets.map(({ bound }, i) => `${bound.sql} AS ${columnName(i)}`);
  // A row without columns has no name in DuckDB.
  const list = cells.length === 0 ? 'true' : cells.join(', ');
  return {
    sql: `SELECT ${distinct}${list}${from.sql}${where}${group}${having}${order}${limits(context, expressions, statement)}`,
    columns: targets.map(({ name, bound: { type, modifier, fields } }) => ({
      name,
      type,
      modifier,
      ...(fields === undefined ? {} : { fields }),
    })),
    ...(assignments.length === 0 ? {} : { assignments }),
  };
}
