/**
 * Expressions: each kind of node in a function of its own. What is not here is refused. Longer than other files, since all
 * kinds of nodes hold each other.
 */
import type { A_Const, A_Expr, CaseExpr, Node, SelectStmt, SubLink, FuncCall } from 'libpg-query';
import { currentSchemas } from '../functions/session.ts';
import { TYPE } from '../system/types.ts';
import { bindFunction, type CallBinder } from './bind-function.ts';
import { bindBinary, bindUnary, likeSql } from './bind-operator.ts';
import { columnName, quoteText, type Bound, type BoundQuery } from './bound.ts';
import { coerce, orText } from './coerce.ts';
import type { BindContext } from './context.ts';
import { bindError, unsupported } from './errors.ts';
import { numericLiteral } from './literal.ts';
import { namesOf } from './node-names.ts';
import { commonType } from './resolve.ts';
import { findColumn, findItem, wholeRow, type Scope } from './scope.ts';
import { textOf } from './text-of.ts';
import { arrayOf, duckdbType, elementOf, isTextual, isVector, typeLabel } from './type-facts.ts';
import { bindTypeName } from './type-name.ts';

/** What binds queries inside of expressions. */
export type BindSubquery = (context: BindContext, statement: SelectStmt, scope: Scope) => BoundQuery;

export interface ExpressionBinder extends CallBinder {
  readonly condition: (node: Node, scope: Scope) => string;
}

/** DuckDB's own limits on text come later. */
const SQL_CHARS_MAX = 1_000_000;

export function createExpressionBinder(context: BindContext, bindSubquery: BindSubquery): ExpressionBinder {
  const { system, budget } = context;

  const expression = (node: Node, scope: Scope): Bound => {
    const at = locationOf(node);
    budget.spend(at);
    const bound = budget.enter(at, () => bindNode(node, scope));
    if (bound.sql.length > SQL_CHARS_MAX) throw bindError('54001', 'the statement is too complex', at);
    // A set in the list of results gives a row for each of its elements.
    if (bound.isSet !== true) return bound;
    const { isSet: _, ...element } = bound;
    return { ...element, sql: `unnest(${bound.sql})` };
  };

  const bool = (sql: string, at: number, ...from: readonly Bound[]): Bound => ({
    sql,
    type: TYPE.bool,
    modifier: -1,
    at,
    ...(from.some(({ isComputed }) => isComputed === true) ? { isComputed: true } : {}),
  });

  const condition = (node: Node, scope: Scope): string => {
    const bound = expression(node, scope);
    if (bound.type !== TYPE.bool && bound.type !== TYPE.unknown) {
      throw bindError(
        '42804',
        `argument of WHERE must be type boolean, not type ${typeLabel(system, bound.type)}`,
        bound.at,
      );
    }
    return coerce(context, bound, TYPE.bool, 'implicit').sql;
  };

  /** Expressions as values of one type. */
  const unified = (
    bounds: readonly Bound[],
    what: string,
    at: number,
  ): { readonly type: number; readonly values: readonly Bound[] } => {
    const type = commonType(
      system,
      bounds.map((bound) => bound.type),
    );
    if (type === null) {
      const labels = bounds.map((bound) => typeLabel(system, bound.type));
      throw bindError(
        '42804',
        `${what} types ${labels[0] ?? ''} and ${labels.find((label) => label !== labels[0]) ?? ''} cannot be matched`,
        at,
      );
    }
    return { type, values: bounds.map((bound) => coerce(context, bound, type, 'explicit')) };
  };

  const computed = (bounds: readonly Bound[]): { readonly isComputed?: true } =>
    bounds.some(({ isComputed }) => isComputed === true) ? { isComputed: true } : {};

  const constant = (value: A_Const): Bound => {
    const at = value.location ?? -1;
    const plain = (sql: string, type: number): Bound => ({ sql, type, modifier: -1, at });
    if (value.isnull === true) return { ...plain('NULL', TYPE.unknown), literal: null };
    if (value.boolval !== undefined)
      return plain(value.boolval.boolval === true ? 'true' : 'false', TYPE.bool);
    if (value.ival !== undefined) return plain(`CAST(${value.ival.ival ?? 0} AS INTEGER)`, TYPE.int4);
    if (value.fval !== undefined) {
      const text = value.fval.fval ?? '0';
      const isWhole = /^\d+$/.test(text) && BigInt(text) < 2n ** 63n;
      return isWhole
        ? plain(`CAST(${text} AS BIGINT)`, TYPE.int8)
        : plain(numericLiteral(text), TYPE.numeric);
    }
    if (value.sval !== undefined) {
      const text = value.sval.sval ?? '';
      return { ...plain(quoteText(text), TYPE.unknown), literal: text };
    }
    throw unsupported('a bit string', at);
  };

  const column = (fields: readonly Node[] | undefined, scope: Scope, at: number): Bound => {
    const parts = namesOf(fields);
    if ((fields ?? []).some((field) => 'A_Star' in field)) {
      const item = findItem(scope, parts.at(-1) ?? '', parts.at(-2) ?? null);
      if (item === null)
        throw bindError('42P01', `missing FROM-clause entry for table "${parts.at(-1) ?? ''}"`, at);
      return wholeRow(item, at);
    }
    return findColumn(scope, parts, at);
  };

  const parameter = (number: number, at: number): Bound => {
    const { types, values } = context.parameters;
    const type = types[number - 1] ?? 0;
    if (values !== null && number > values.length)
      throw bindError('42P02', `there is no parameter $${number}`, at);
    for (let i = types.length; i < number; i++) types.push(0);
    const unknown: Bound = { sql: 'NULL', type: TYPE.unknown, modifier: -1, at, parameter: number };
    return type === 0 || type === TYPE.unknown ? unknown : coerce(context, unknown, type, 'explicit');
  };

  const list = (node: Node | undefined, scope: Scope): readonly Bound[] =>
    node !== undefined && 'List' in node
      ? (node.List.items ?? []).map((item) => expression(item, scope))
      : [];

  const inList = (expr: A_Expr, left: Bound, scope: Scope, at: number): Bound => {
    const values = list(expr.rexpr, scope);
    const isNot = namesOf(expr.name)[0] === '<>';
    if (left.fields !== undefined) {
      return bool(
        `(${left.sql} ${isNot ? 'NOT IN' : 'IN'} (${values.map(({ sql }) => sql).join(', ')}))`,
        at,
        left,
      );
    }
    const type = commonType(system, [left.type, ...values.map((value) => value.type)]);
    if (type === null) {
      const parts = values.map((value) => bindBinary(context, isNot ? '<>' : '=', left, value, at).sql);
      return bool(`(${parts.join(isNot ? ' AND ' : ' OR ')})`, at, left);
    }
    const sqls = values.map((value) => coerce(context, value, type, 'explicit').sql);
    return bool(
      `(${coerce(context, left, type, 'explicit').sql} ${isNot ? 'NOT IN' : 'IN'} (${sqls.join(', ')}))`,
      at,
      left,
    );
  };

  /** `= ANY (array)`, `<> ALL (array)`. */
  const quantified = (expr: A_Expr, left: Bound, right: Bound, at: number): Bound => {
    const name = namesOf(expr.name).at(-1) ?? '=';
    const isAny = expr.kind === 'AEXPR_OP_ANY';
    const array =
      right.type === TYPE.unknown
        ? coerce(
            context,
            right,
            arrayOf(system, left.type === TYPE.unknown ? TYPE.text : left.type),
            'explicit',
          )
        : right;
    const element = elementOf(system, array.type);
    if (element === 0) throw bindError('42809', `op ANY/ALL (array) requires array on right side`, at);
    const alias = 'v';
    const item: Bound = { sql: alias, type: element, modifier: -1, at };
    const compared = bindBinary(context, name, left, item, at);
    if (name === '=' && isAny && duckdbType(system, left.type) === duckdbType(system, element)) {
      return bool(`list_contains(${array.sql}, ${coerce(context, left, element, 'explicit').sql})`, at, left);
    }
    const results = `list_transform(${array.sql}, lambda ${alias}: ${compared.sql})`;
    return bool(isAny ? `list_bool_or(${results})` : `list_bool_and(${results})`, at, left);
  };

  const between = (expr: A_Expr, left: Bound, scope: Scope, at: number): Bound => {
    const [low, high] = list(expr.rexpr, scope);
    if (low === undefined || high === undefined) throw unsupported('BETWEEN', at);
    const isSymmetric = expr.kind?.endsWith('_SYM') === true;
    const within = (from: Bound, to: Bound): string =>
      `(${bindBinary(context, '>=', left, from, at).sql} AND ${bindBinary(context, '<=', left, to, at).sql})`;
    const sql = isSymmetric ? `(${within(low, high)} OR ${within(high, low)})` : within(low, high);
    return bool(expr.kind?.includes('NOT') === true ? `(NOT ${sql})` : sql, at, left);
  };

  /** The pattern may come with an escape of its own, as a call of like_escape. */
  const like = (name: string, left: Bound, node: Node, scope: Scope, at: number): Bound => {
    const isEscaped = 'FuncCall' in node && namesOf(node.FuncCall.funcname).at(-1) === 'like_escape';
    const [pattern, escape] = isEscaped ? (node.FuncCall.args ?? []) : [node];
    if (pattern === undefined) throw unsupported('LIKE', at);
    const [typedLeft, right] = [
      coerce(context, left, TYPE.text, 'explicit'),
      coerce(context, expression(pattern, scope), TYPE.text, 'explicit'),
    ];
    const by =
      escape === undefined
        ? undefined
        : coerce(context, expression(escape, scope), TYPE.text, 'explicit').sql;
    return bool(likeSql(name, typedLeft.sql, right.sql, by) ?? 'NULL', at, left);
  };

  const operation = (expr: A_Expr, scope: Scope): Bound => {
    const at = expr.location ?? -1;
    const name = namesOf(expr.name).at(-1) ?? '';
    const left = expr.lexpr === undefined ? null : expression(expr.lexpr, scope);
    if (left === null) {
      if (expr.rexpr === undefined) throw unsupported(`operator ${name}`, at);
      return bindUnary(context, name, expression(expr.rexpr, scope), at);
    }
    switch (expr.kind) {
      case 'AEXPR_IN':
        return inList(expr, left, scope, at);
      case 'AEXPR_BETWEEN':
      case 'AEXPR_NOT_BETWEEN':
      case 'AEXPR_BETWEEN_SYM':
      case 'AEXPR_NOT_BETWEEN_SYM':
        return between(expr, left, scope, at);
      default:
    }
    if (expr.rexpr === undefined) throw unsupported(`operator ${name}`, at);
    if (expr.kind === 'AEXPR_LIKE' || expr.kind === 'AEXPR_ILIKE')
      return like(name, left, expr.rexpr, scope, at);
    const right = expression(expr.rexpr, scope);
    switch (expr.kind) {
      case 'AEXPR_OP_ANY':
      case 'AEXPR_OP_ALL':
        return quantified(expr, left, right, at);
      case 'AEXPR_DISTINCT':
      case 'AEXPR_NOT_DISTINCT': {
        const { values } = unified([left, right], 'IS DISTINCT FROM', at);
        const word = expr.kind === 'AEXPR_DISTINCT' ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM';
        return bool(`(${values[0]?.sql ?? 'NULL'} ${word} ${values[1]?.sql ?? 'NULL'})`, at, left, right);
      }
      case 'AEXPR_NULLIF': {
        const typed = orText(context, left);
        const equal = bindBinary(context, '=', typed, right, at).sql;
        return { ...typed, sql: `CASE WHEN ${equal} THEN NULL ELSE ${typed.sql} END`, at };
      }
      case 'AEXPR_OP':
      case undefined:
        return bindBinary(context, name, left, right, at);
      default:
        throw unsupported('SIMILAR TO', at);
    }
  };

  const cased = (node: CaseExpr, scope: Scope): Bound => {
    const at = node.location ?? -1;
    const subject = node.arg === undefined ? null : orText(context, expression(node.arg, scope));
    const whens = (node.args ?? []).flatMap((arg) => ('CaseWhen' in arg ? [arg.CaseWhen] : []));
    const tests = whens.map(({ expr }) => {
      if (expr === undefined) return 'false';
      return subject === null
        ? condition(expr, scope)
        : bindBinary(context, '=', subject, expression(expr, scope), at).sql;
    });
    const results = whens.map(({ result }) => (result === undefined ? null : expression(result, scope)));
    const otherwise = node.defresult === undefined ? null : expression(node.defresult, scope);
    // PostgreSQL looks at ELSE first where types compete.
    const all = [otherwise, ...results].filter((bound) => bound !== null);
    const { type, values: unifiedValues } = unified(all, 'CASE', at);
    const values =
      otherwise === null ? unifiedValues : [...unifiedValues.slice(1), ...unifiedValues.slice(0, 1)];
    const branches = tests.map((test, i) => `WHEN ${test} THEN ${values[i]?.sql ?? 'NULL'}`);
    const last = otherwise === null ? '' : ` ELSE ${values.at(-1)?.sql ?? 'NULL'}`;
    return { sql: `CASE ${branches.join(' ')}${last} END`, type, modifier: -1, at, ...computed(values) };
  };

  const subselectOf = (link: SubLink, scope: Scope): BoundQuery => {
    if (link.subselect === undefined || !('SelectStmt' in link.subselect))
      throw unsupported('a subquery', link.location);
    return bindSubquery(context, link.subselect.SelectStmt, scope);
  };

  const onlyColumn = ({ columns }: BoundQuery, at: number): BoundQuery['columns'][number] => {
    const [only] = columns;
    if (only === undefined || columns.length > 1)
      throw bindError('42601', 'subquery must return only one column', at);
    return only;
  };

  /** `x = ANY (SELECT …)`, `x IN (SELECT …)`, `x <> ALL (SELECT …)`. */
  const comparedWithQuery = (link: SubLink, scope: Scope, at: number): Bound => {
    const query = subselectOf(link, scope);
    const left = link.testexpr === undefined ? null : expression(link.testexpr, scope);
    if (left === null) throw unsupported('a subquery', at);
    const name = namesOf(link.operName).at(-1) ?? '=';
    const isAny = link.subLinkType === 'ANY_SUBLINK';
    if (left.fields !== undefined) {
      const row = `SELECT {${query.columns.map((_, i) => `'f${i + 1}': q.${columnName(i)}`).join(', ')}} FROM (${query.sql}) q`;
      return bool(`(${left.sql} IN (${row}))`, at, left);
    }
    const only = onlyColumn(query, at);
    const alias = budget.nextAlias('q');
    const item: Bound = { sql: `${alias}.c1`, type: only.type, modifier: -1, at };
    const type = commonType(system, [left.type, only.type]);
    if (name === '=' && isAny && type !== null) {
      const inner = coerce(context, item, type, 'explicit').sql;
      return bool(
        `(${coerce(context, left, type, 'explicit').sql} IN (SELECT ${inner} FROM (${query.sql}) ${alias}))`,
        at,
        left,
      );
    }
    const test = bindBinary(context, name, left, item, at).sql;
    const combined = `(SELECT ${isAny ? 'bool_or' : 'bool_and'}(${test}) FROM (${query.sql}) ${alias})`;
    return bool(`coalesce(${combined}, ${isAny ? 'false' : 'true'})`, at, left);
  };

  const subquery = (link: SubLink, scope: Scope): Bound => {
    const at = link.location ?? -1;
    switch (link.subLinkType) {
      case 'EXISTS_SUBLINK':
        return bool(`EXISTS (${subselectOf(link, scope).sql})`, at);
      case 'EXPR_SUBLINK': {
        const query = subselectOf(link, scope);
        const { name: _, ...only } = onlyColumn(query, at);
        return { ...only, sql: `(${query.sql})`, at };
      }
      case 'ARRAY_SUBLINK': {
        const query = subselectOf(link, scope);
        const { type, fields } = onlyColumn(query, at);
        const alias = budget.nextAlias('q');
        const gathered = `(SELECT coalesce(list(${alias}.c1), CAST([] AS ${duckdbType(system, arrayOf(system, type)) || 'VARCHAR[]'})) FROM (${query.sql}) ${alias})`;
        return {
          sql: gathered,
          type: arrayOf(system, type),
          modifier: -1,
          at,
          ...(fields === undefined ? {} : { fields }),
        };
      }
      case 'ANY_SUBLINK':
      case 'ALL_SUBLINK':
        return comparedWithQuery(link, scope, at);
      default:
        throw unsupported('such a subquery', at);
    }
  };

  /** Fields, elements and slices. */
  const indirection = (arg: Node, steps: readonly Node[], scope: Scope): Bound => {
    let bound = expression(arg, scope);
    for (const step of steps) {
      if ('String' in step) {
        const index = bound.fields?.findIndex(({ name }) => name === step.String.sval) ?? -1;
        const field = bound.fields?.[index];
        if (field === undefined)
          throw bindError(
            '42703',
            `column "${step.String.sval ?? ''}" not found in data type record`,
            bound.at,
          );
        const { name: _, ...typed } = field;
        const set = /^unnest\((.*)\)$/s.exec(bound.sql);
        // A field of a set's elements: taken before they become rows.
        const sql =
          set === null
            ? `struct_extract(${bound.sql}, 'f${index + 1}')`
            : `unnest(list_transform(${set[1] ?? ''}, lambda u: struct_extract(u, 'f${index + 1}')))`;
        bound = { ...typed, sql, at: bound.at };
      } else if ('A_Indices' in step) {
        bound = element(bound, step.A_Indices, scope);
      } else throw unsupported('an indirection', bound.at);
    }
    return bound;
  };

  const element = (
    bound: Bound,
    { is_slice, lidx, uidx }: { is_slice?: boolean; lidx?: Node; uidx?: Node },
    scope: Scope,
  ): Bound => {
    const type = elementOf(system, bound.type);
    if (type === 0)
      throw bindError(
        '42804',
        `cannot subscript type ${typeLabel(system, bound.type)} because it does not support subscripting`,
        bound.at,
      );
    const index = (node: Node | undefined, otherwise: string): string =>
      node === undefined ? otherwise : coerce(context, expression(node, scope), TYPE.int4, 'explicit').sql;
    const offset = isVector(bound.type) ? ' + 1' : '';
    const { fields, ...rest } = bound;
    if (is_slice === true)
      return {
        ...bound,
        sql: `(${bound.sql})[${index(lidx, '1')}${lidx === undefined ? '' : offset}:${index(uidx, '-1')}${uidx === undefined ? '' : offset}]`,
      };
    const place = `${index(uidx, '1')}${offset}`;
    // DuckDB counts negative places from the end; PostgreSQL finds nothing there.
    return {
      ...rest,
      sql: `(${bound.sql})[CASE WHEN ${place} > 0 THEN ${place} END]`,
      type,
      ...(fields === undefined ? {} : { fields }),
    };
  };

  const nullTest = (arg: Node, isNull: boolean, scope: Scope, at: number): Bound => {
    const bound = orText(context, expression(arg, scope));
    return bool(`(${bound.sql} IS ${isNull ? '' : 'NOT '}NULL)`, at, bound);
  };

  const TRUTH: Readonly<Record<string, string>> = {
    IS_TRUE: 'IS TRUE', IS_NOT_TRUE: 'IS NOT TRUE', IS_FALSE: 'IS FALSE', IS_NOT_FALSE: 'IS NOT FALSE', IS_UNKNOWN: 'IS NULL', IS_NOT_UNKNOWN: 'IS NOT NULL',
  }; // prettier-ignore

  const array = (elements: readonly Node[], scope: Scope, at: number): Bound => {
    const { type, values } = unified(
      elements.map((one) => expression(one, scope)),
      'ARRAY',
      at,
    );
    const isNested = elementOf(system, type) !== 0;
    const result = isNested ? type : arrayOf(system, type);
    return {
      sql: `CAST([${values.map(({ sql }) => sql).join(', ')}] AS ${duckdbType(system, type)}[])`,
      type: result,
      modifier: -1,
      at,
      ...computed(values),
    };
  };

  const valueFunction = (op: string, at: number): Bound => {
    const make = (sql: string, type: number): Bound => ({ sql, type, modifier: -1, at });
    const now = `CAST(${quoteText(context.now)} AS TIMESTAMP)`;
    switch (op) {
      case 'SVFOP_CURRENT_DATE':
        return make(`CAST(${now} AS DATE)`, TYPE.date);
      case 'SVFOP_CURRENT_TIMESTAMP':
      case 'SVFOP_CURRENT_TIMESTAMP_N':
        return make(now, TYPE.timestamptz);
      case 'SVFOP_LOCALTIMESTAMP':
      case 'SVFOP_LOCALTIMESTAMP_N':
        return make(now, TYPE.timestamp);
      case 'SVFOP_CURRENT_CATALOG':
        return make(quoteText(context.session.database), TYPE.name);
      case 'SVFOP_CURRENT_SCHEMA': {
        const [first] = currentSchemas(context, false);
        return make(first === undefined ? 'CAST(NULL AS VARCHAR)' : quoteText(first), TYPE.name);
      }
      case 'SVFOP_CURRENT_ROLE':
      case 'SVFOP_CURRENT_USER':
      case 'SVFOP_USER':
      case 'SVFOP_SESSION_USER':
        return make(quoteText(context.session.user), TYPE.name);
      default:
        throw unsupported('a time of day', at);
    }
  };

  const cast = (arg: Node, typeName: Parameters<typeof bindTypeName>[1], scope: Scope, at: number): Bound => {
    const { type, modifier } = bindTypeName(context, typeName);
    // `ARRAY[]::text[]`: an empty list has no type of its own.
    if ('A_ArrayExpr' in arg && (arg.A_ArrayExpr.elements ?? []).length === 0)
      return { sql: `CAST([] AS ${duckdbType(system, type)})`, type, modifier, at };
    const bound = expression(arg, scope);
    if (bound.fields !== undefined && isTextual(system, type))
      return { sql: textOf(context, bound), type, modifier, at };
    return { ...coerce(context, bound, type, 'explicit', modifier), at: bound.at };
  };

  const order: CallBinder['order'] = (nodes, scope) => {
    const keys = (nodes ?? []).flatMap((node) =>
      'SortBy' in node && node.SortBy.node !== undefined
        ? [
            sortKey(
              orText(context, expression(node.SortBy.node, scope)).sql,
              node.SortBy.sortby_dir,
              node.SortBy.sortby_nulls,
            ),
          ]
        : [],
    );
    return keys.length === 0 ? '' : `ORDER BY ${keys.join(', ')}`;
  };

  const window: CallBinder['window'] = (definition, scope) => {
    if (definition.refname !== undefined || definition.name !== undefined)
      throw unsupported('a named window', definition.location);
    const partition = (definition.partitionClause ?? []).map(
      (node) => orText(context, expression(node, scope)).sql,
    );
    return [
      partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`,
      order(definition.orderClause, scope),
    ]
      .filter(Boolean)
      .join(' ');
  };

  const binder: ExpressionBinder = { expression, condition, order, window };

  function bindNode(node: Node, scope: Scope): Bound {
    if ('A_Const' in node) return constant(node.A_Const);
    if ('ColumnRef' in node) return column(node.ColumnRef.fields, scope, node.ColumnRef.location ?? -1);
    if ('A_Expr' in node) return operation(node.A_Expr, scope);
    if ('FuncCall' in node) return bindFunction(context, binder, collapsed(node.FuncCall), scope);
    if ('BoolExpr' in node) {
      const { boolop, args = [], location = -1 } = node.BoolExpr;
      const parts = args.map((arg) => condition(arg, scope));
      if (boolop === 'NOT_EXPR') return bool(`(NOT ${parts[0] ?? 'NULL'})`, location);
      return bool(`(${parts.join(boolop === 'AND_EXPR' ? ' AND ' : ' OR ')})`, location);
    }
    if ('NullTest' in node && node.NullTest.arg !== undefined) {
      return nullTest(
        node.NullTest.arg,
        node.NullTest.nulltesttype === 'IS_NULL',
        scope,
        node.NullTest.location ?? -1,
      );
    }
    if ('BooleanTest' in node && node.BooleanTest.arg !== undefined) {
      return bool(
        `(${condition(node.BooleanTest.arg, scope)} ${TRUTH[node.BooleanTest.booltesttype ?? ''] ?? 'IS TRUE'})`,
        node.BooleanTest.location ?? -1,
      );
    }
    if ('TypeCast' in node && node.TypeCast.arg !== undefined && node.TypeCast.typeName !== undefined) {
      return cast(node.TypeCast.arg, node.TypeCast.typeName, scope, node.TypeCast.location ?? -1);
    }
    if ('CaseExpr' in node) return cased(node.CaseExpr, scope);
    if ('CoalesceExpr' in node) {
      const { args = [], location = -1 } = node.CoalesceExpr;
      const { type, values } = unified(
        args.map((arg) => expression(arg, scope)),
        'COALESCE',
        location,
      );
      return {
        sql: `coalesce(${values.map(({ sql }) => sql).join(', ')})`,
        type,
        modifier: -1,
        at: location,
        ...computed(values),
      };
    }
    if ('MinMaxExpr' in node) {
      const { args = [], op, location = -1 } = node.MinMaxExpr;
      const { type, values } = unified(
        args.map((arg) => expression(arg, scope)),
        'GREATEST',
        location,
      );
      return {
        sql: `${op === 'IS_LEAST' ? 'least' : 'greatest'}(${values.map(({ sql }) => sql).join(', ')})`,
        type,
        modifier: -1,
        at: location,
        ...computed(values),
      };
    }
    if ('SubLink' in node) return subquery(node.SubLink, scope);
    if ('A_ArrayExpr' in node)
      return array(node.A_ArrayExpr.elements ?? [], scope, node.A_ArrayExpr.location ?? -1);
    if ('A_Indirection' in node && node.A_Indirection.arg !== undefined)
      return indirection(node.A_Indirection.arg, node.A_Indirection.indirection ?? [], scope);
    if ('ParamRef' in node) return parameter(node.ParamRef.number ?? 0, node.ParamRef.location ?? -1);
    // Texts sort by their bytes, as in the C collation, whatever collation is named.
    if ('CollateClause' in node && node.CollateClause.arg !== undefined)
      return expression(node.CollateClause.arg, scope);
    if ('SQLValueFunction' in node)
      return valueFunction(node.SQLValueFunction.op ?? '', node.SQLValueFunction.location ?? -1);
    if ('RowExpr' in node) {
      const values = (node.RowExpr.args ?? []).map((arg) => orText(context, expression(arg, scope)));
      return {
        sql: `{${values.map(({ sql }, i) => `'f${i + 1}': ${sql}`).join(', ')}}`,
        type: TYPE.record,
        modifier: -1,
        at: node.RowExpr.location ?? -1,
        fields: values.map(({ type, modifier, fields }, i) => ({
          name: `f${i + 1}`,
          type,
          modifier,
          ...(fields === undefined ? {} : { fields }),
        })),
      };
    }
    throw unsupported('such an expression', locationOf(node));
  }

  return binder;
}

/** `pg_catalog.btrim(x)` and the like come as they are; SQL's own forms of calls too. */
function collapsed(call: FuncCall): FuncCall {
  if (call.func_variadic === true) throw unsupported('VARIADIC', call.location);
  return call;
}

/** PostgreSQL puts NULLs last, and first where the order is descending. */
export function sortKey(sql: string, direction: string | undefined, nulls: string | undefined): string {
  const isDescending = direction === 'SORTBY_DESC';
  const isFirst = nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && isDescending);
  return `${sql} ${isDescending ? 'DESC' : 'ASC'} NULLS ${isFirst ? 'FIRST' : 'LAST'}`;
}

export function locationOf(node: Node): number {
  const [value] = Object.values(node) as readonly { readonly location?: number }[];
  return value?.location ?? -1;
}
