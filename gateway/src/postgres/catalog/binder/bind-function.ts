/** Calls of functions. */
import type { FuncCall, Node } from 'libpg-query';
import { aggregatedJson } from '../functions/json.ts';
import { FUNCTIONS } from '../functions/registry.ts';
import { fill, type Made } from '../functions/call.ts';
import { TYPE, type PgFunction } from '../system/types.ts';
import type { Bound } from './bound.ts';
import { coerce, orText } from './coerce.ts';
import type { BindContext } from './context.ts';
import { bindError, unsupported } from './errors.ts';
import { namesOf } from './node-names.ts';
import { resolveFunction, type ResolvedFunction } from './resolve.ts';
import { findItem, type Scope } from './scope.ts';
import { typeLabel } from './type-facts.ts';

/** What the rest of the binder does for calls. */
export interface CallBinder {
  readonly expression: (node: Node, scope: Scope) => Bound;
  readonly order: (nodes: readonly Node[] | undefined, scope: Scope) => string;
  readonly window: (node: NonNullable<FuncCall['over']>, scope: Scope) => string;
}

const signature = (context: BindContext, name: string, args: readonly Bound[]): string =>
  `${name}(${args.map(({ type }) => typeLabel(context.system, type)).join(', ')})`;

function resolve(
  context: BindContext,
  schema: string | null,
  name: string,
  args: readonly Bound[],
  at: number,
): ResolvedFunction {
  const named = (context.system.functions.get(name) ?? []).filter((one) => isFound(context, one, schema));
  const found = resolveFunction(
    context.system,
    named,
    args.map(({ type }) => type),
  );
  if (found !== null) return found;
  const shown = schema === null ? name : `${schema}.${name}`;
  throw bindError(
    '42883',
    `function ${signature(context, shown, args)} does not exist`,
    at,
    'No function matches the given name and argument types. You might need to add explicit type casts.',
  );
}

const isFound = ({ session, isView }: BindContext, { schema }: PgFunction, wanted: string | null): boolean =>
  wanted === null
    ? schema === 'pg_catalog' || (!isView && session.searchPath.includes(schema))
    : schema === wanted;

/** Type and modifier of a column, domains looked through: these take rows of pg_attribute and pg_type. */
const ROW_FUNCTIONS: Readonly<Record<string, readonly [string, string]>> = {
  _pg_truetypid: ['typbasetype', 'atttypid'],
  _pg_truetypmod: ['typtypmod', 'atttypmod'],
};

function bindRowFunction(call: FuncCall, name: string, scope: Scope): Bound | null {
  const columns = ROW_FUNCTIONS[name];
  if (columns === undefined) return null;
  const [attribute, type] = (call.args ?? []).map((arg) =>
    'ColumnRef' in arg ? findItem(scope, namesOf(arg.ColumnRef.fields).at(0) ?? '', null) : null,
  );
  const sqlOf = (item: typeof attribute, column: string): string | undefined =>
    item?.columns.find((one) => one.name === column)?.sql;
  const [kind, base, own] = [sqlOf(type, 'typtype'), sqlOf(type, columns[0]), sqlOf(attribute, columns[1])];
  if (kind === undefined || base === undefined || own === undefined) return null;
  return {
    sql: `CASE WHEN ${kind} = 'd' THEN ${base} ELSE ${own} END`,
    type: name === '_pg_truetypid' ? TYPE.oid : TYPE.int4,
    modifier: -1,
    at: call.location ?? -1,
  };
}

/** What stands in the brackets of an aggregate, and after them. */
function aggregated(
  context: BindContext,
  binder: CallBinder,
  call: FuncCall,
  sql: string,
  scope: Scope,
): string {
  const order = binder.order(call.agg_order, scope);
  const filter =
    call.agg_filter === undefined
      ? ''
      : ` FILTER (WHERE ${coerce(context, binder.expression(call.agg_filter, scope), TYPE.bool, 'implicit').sql})`;
  const [head = ''] = /^\w+\(/.exec(sql) ?? [];
  // Parts side by side: in a replacement's text, `$` of a literal would have a meaning of its own.
  const distinct = call.agg_distinct === true && head !== '' ? 'DISTINCT ' : '';
  const inside =
    order === '' || !sql.endsWith(')') ? sql.slice(head.length) : `${sql.slice(head.length, -1)} ${order})`;
  return `${head}${distinct}${inside}${filter}`;
}

const sqlOf = (made: Made): string => (typeof made === 'string' ? made : made.sql);

/** @throws BindError 42883 where there is no such function, 0A000 where this catalog lacks it */
export function bindFunction(context: BindContext, binder: CallBinder, call: FuncCall, scope: Scope): Bound {
  const at = call.location ?? -1;
  const parts = namesOf(call.funcname);
  const name = parts.at(-1) ?? '';
  const schema = parts.at(-2) ?? null;
  const rowFunction = bindRowFunction(call, name, scope);
  if (rowFunction !== null) return rowFunction;
  const given = (call.args ?? []).map((arg) => binder.expression(arg, scope));
  if (call.agg_star === true && name === 'count') {
    const counted = { sql: 'count(*)', type: TYPE.int8, modifier: -1, at, isComputed: true };
    const sql = aggregated(context, binder, { ...call, agg_order: [] }, counted.sql, scope);
    return {
      ...counted,
      sql: call.over === undefined ? sql : `${sql} OVER (${binder.window(call.over, scope)})`,
    };
  }
  const found = resolve(context, schema, name, given, at);
  const implementation = FUNCTIONS.get(name);
  if (implementation === undefined) throw unsupported(`function ${signature(context, name, given)}`, at);
  const args = given.map((arg, i) => {
    const type = found.arguments[i] ?? arg.type;
    return arg.fields !== undefined || type === TYPE.record ? arg : coerce(context, arg, type, 'explicit');
  });
  const isAggregate = found.meant.kind === 'a';
  const isJson = isAggregate && /^jsonb?_/.test(name);
  const passed = isJson
    ? args.map((arg) => ({ ...orText(context, arg), sql: aggregatedJson(context, orText(context, arg)) }))
    : args;
  const made =
    typeof implementation === 'string'
      ? fill(
          implementation,
          passed.map(({ sql }) => sql),
        )
      : implementation({ context, name, args: passed, given, result: found.result, at });
  const fields = typeof made === 'string' ? undefined : made.fields;
  let sql = sqlOf(made);
  if (isAggregate) sql = aggregated(context, binder, call, sql, scope);
  if (isJson) sql = `CAST(to_json(${sql}) AS VARCHAR)`;
  if (call.over !== undefined) sql = `${sql} OVER (${binder.window(call.over, scope)})`;
  const gathered = name === 'array_agg' && given[0]?.fields !== undefined ? { fields: given[0].fields } : {};
  return {
    sql: isAggregate || call.over !== undefined ? sql : `(${sql})`,
    type: fields !== undefined && found.meant.returnsSet ? TYPE.record : found.result,
    modifier: -1,
    at,
    ...gathered,
    ...(fields === undefined ? {} : { fields }),
    ...(found.meant.returnsSet ? { isSet: true } : {}),
    ...(isAggregate || call.over !== undefined || args.some(({ isComputed }) => isComputed === true)
      ? { isComputed: true }
      : {}),
  };
}
