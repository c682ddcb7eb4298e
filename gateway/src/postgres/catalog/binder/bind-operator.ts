/** Operators, with PostgreSQL's types and meanings. */
import { aliasless } from './operator-text.ts';
import { raise } from '../functions/call.ts';
import { duckdbPattern } from '../functions/patterns.ts';
import { TYPE } from '../system/types.ts';
import { quoteText, type Bound } from './bound.ts';
import { coerce } from './coerce.ts';
import type { BindContext } from './context.ts';
import { bindError, unsupported } from './errors.ts';
import { resolveOperator } from './resolve.ts';
import { textOf } from './text-of.ts';
import { elementOf, isInteger, isTextual, typeLabel } from './type-facts.ts';

const REGULAR = new Map([
  ['~', { not: false, options: 's' }],
  ['!~', { not: true, options: 's' }],
  ['~*', { not: false, options: 'si' }],
  ['!~*', { not: true, options: 'si' }],
]);

const LIKES = new Map([
  ['~~', 'LIKE'],
  ['!~~', 'NOT LIKE'],
  ['~~*', 'ILIKE'],
  ['!~~*', 'NOT ILIKE'],
]);

const SAME = new Set(['=', '<>', '<', '>', '<=', '>=', '+', '-', '*', '&', '|', '<<', '>>']);

/** A pattern's escape is a backslash unless another is named. */
export function likeSql(name: string, left: string, right: string, escape = "'\\'"): string | null {
  const like = LIKES.get(name);
  return like === undefined ? null : `(${left} ${like} ${right} ESCAPE ${escape})`;
}

function divided(left: Bound, right: Bound, isWhole: boolean, sign: string): string {
  const zero = raise('22012', 'division by zero');
  const sql = isWhole ? `${left.sql} ${sign} ${right.sql}` : `${left.sql} / ${right.sql}`;
  return `CASE WHEN ${right.sql} = 0 THEN ${zero} ELSE ${sql} END`;
}

function concatenated(context: BindContext, left: Bound, right: Bound): string {
  const lists = [elementOf(context.system, left.type) !== 0, elementOf(context.system, right.type) !== 0];
  if (lists[0] === true && lists[1] === true) return `list_concat(${left.sql}, ${right.sql})`;
  if (lists[0] === true) return `list_append(${left.sql}, ${right.sql})`;
  if (lists[1] === true) return `list_prepend(${left.sql}, ${right.sql})`;
  return `(${textOf(context, left)} || ${textOf(context, right)})`;
}

function operatorSql(
  context: BindContext,
  name: string,
  left: Bound,
  right: Bound,
  written: Bound,
  at: number,
): string {
  const { system } = context;
  const regular = REGULAR.get(name);
  if (regular !== undefined && isTextual(system, left.type)) {
    const pattern =
      typeof written.literal === 'string' ? quoteText(duckdbPattern(written.literal, at)) : right.sql;
    const matches = `regexp_matches(${left.sql}, ${pattern}, '${regular.options}')`;
    return regular.not ? `(NOT ${matches})` : matches;
  }
  const like = likeSql(name, left.sql, right.sql);
  if (like !== null) return like;
  switch (name) {
    case '||':
      return concatenated(context, left, right);
    case '/':
      return divided(left, right, isInteger(left.type), '//');
    case '%':
      return divided(left, right, true, '%');
    case '^':
      return `power(${left.sql}, ${right.sql})`;
    case '#':
      return `xor(${left.sql}, ${right.sql})`;
    case '@>':
      if (elementOf(system, left.type) !== 0) return `list_has_all(${left.sql}, ${right.sql})`;
      break;
    case '<@':
      if (elementOf(system, left.type) !== 0) return `list_has_all(${right.sql}, ${left.sql})`;
      break;
    case '&&':
      if (elementOf(system, left.type) !== 0) return `list_has_any(${left.sql}, ${right.sql})`;
      break;
    case '->>':
      return `json_extract_string(${left.sql}, ${right.sql})`;
    case '->':
      return `CAST(json_extract(${left.sql}, ${right.sql}) AS VARCHAR)`;
    default:
  }
  if (!SAME.has(name)) throw unsupported(`operator ${name}`, at);
  return `(${left.sql} ${name} ${right.sql})`;
}

function noOperator(context: BindContext, name: string, left: Bound | null, right: Bound, at: number): never {
  const label = (bound: Bound): string => typeLabel(context.system, bound.type);
  const shown = left === null ? `${name} ${label(right)}` : `${label(left)} ${name} ${label(right)}`;
  throw bindError(
    '42883',
    `operator does not exist: ${shown}`,
    at,
    'No operator matches the given name and argument types. You might need to add explicit type casts.',
  );
}

/** Composite values are compared field by field. */
function compareRows(
  context: BindContext,
  name: string,
  left: Bound,
  right: Bound,
  at: number,
): Bound | null {
  if (left.fields === undefined || right.fields === undefined || !SAME.has(name)) return null;
  return { sql: `(${left.sql} ${name} ${right.sql})`, type: TYPE.bool, modifier: -1, at };
}

/** @throws BindError 42883 where there is no such operator */
export function bindBinary(
  context: BindContext,
  written: string,
  left: Bound,
  right: Bound,
  at: number,
): Bound {
  const name = aliasless(written);
  const rows = compareRows(context, name, left, right, at);
  if (rows !== null) return rows;
  const found = resolveOperator(context.system, name, left.type, right.type);
  if (found === null) return noOperator(context, name, left, right, at);
  const [typedLeft, typedRight] = [
    coerce(context, left, found.left, 'explicit'),
    coerce(context, right, found.right, 'explicit'),
  ];
  return {
    sql: operatorSql(context, name, typedLeft, typedRight, right, at),
    type: found.result,
    modifier: -1,
    at,
    ...(left.isComputed === true || right.isComputed === true ? { isComputed: true } : {}),
  };
}

export function bindUnary(context: BindContext, name: string, operand: Bound, at: number): Bound {
  const found = resolveOperator(context.system, name, 0, operand.type);
  if (found === null || !['-', '+', '~', '@'].includes(name))
    return noOperator(context, name, null, operand, at);
  const typed = coerce(context, operand, found.right, 'explicit');
  const sql = name === '@' ? `abs(${typed.sql})` : `(${name} (${typed.sql}))`;
  return { ...typed, sql, type: found.result, modifier: -1, at };
}
