/** Literals: their text as a value of a type, as the type's input function reads it. */
import { TYPE } from '../system/types.ts';
import { quoteText } from './bound.ts';
import type { BindContext } from './context.ts';
import { bindError } from './errors.ts';
import { schemaAndName } from './object-names.ts';
import { baseType, duckdbType, elementOf, isVector, REG_TYPES, typeLabel } from './type-facts.ts';
import { typeFromText } from './type-name.ts';

const INTEGER_LIMITS: ReadonlyMap<number, readonly [bigint, bigint]> = new Map([
  [TYPE.int2, [-32_768n, 32_767n]],
  [TYPE.int4, [-2_147_483_648n, 2_147_483_647n]],
  [TYPE.int8, [-(2n ** 63n), 2n ** 63n - 1n]],
  [TYPE.oid, [-2_147_483_648n, 4_294_967_295n]],
  [TYPE.xid, [0n, 4_294_967_295n]],
  [TYPE.cid, [0n, 4_294_967_295n]],
]);

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['t', 'true'], ['tr', 'true'], ['tru', 'true'], ['true', 'true'], ['y', 'true'], ['ye', 'true'], ['yes', 'true'], ['on', 'true'], ['1', 'true'],
  ['f', 'false'], ['fa', 'false'], ['fal', 'false'], ['fals', 'false'], ['false', 'false'], ['n', 'false'], ['no', 'false'], ['of', 'false'], ['off', 'false'], ['0', 'false'],
]); // prettier-ignore

/** Elements of an array's text; null is NULL. */
export function arrayElements(text: string): readonly (string | null)[] | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  const body = trimmed.slice(1, -1);
  if (body.trim() === '') return [];
  const elements: (string | null)[] = [];
  const element = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",{}\\\s]|\\.)(?:[^",{}\\]|\\.)*))/sy;
  for (;;) {
    const found = element.exec(body);
    if (found === null) return null;
    const bare = found[2]?.trimEnd();
    if (bare === undefined) elements.push((found[1] ?? '').replace(/\\(.)/gs, '$1'));
    else elements.push(/^null$/i.test(bare) ? null : bare.replace(/\\(.)/gs, '$1'));
    const rest = /\s*(?:,|$)/y;
    rest.lastIndex = element.lastIndex;
    const end = rest.exec(body);
    if (end === null) return null;
    if (rest.lastIndex >= body.length && !end[0].includes(',')) return elements;
    element.lastIndex = rest.lastIndex;
  }
}

function invalid(context: BindContext, text: string, type: number, at: number): never {
  throw bindError('22P02', `invalid input syntax for type ${typeLabel(context.system, type)}: "${text}"`, at);
}

/** The OID that a name stands for. */
export function nameToOid(context: BindContext, text: string, type: number, at: number): number | null {
  const { names } = context;
  if (text === '-') return 0;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (type === TYPE.regrole) return names.roles.get(schemaAndName(text, at)[1]) ?? null;
  if (type === TYPE.regnamespace) return names.schemaOid(schemaAndName(text, at)[1]);
  if (type === TYPE.regtype) return typeFromText(context, text)?.type ?? null;
  const [schema, name] = schemaAndName(type === TYPE.regprocedure ? (text.split('(')[0] ?? '') : text, at);
  if (type === TYPE.regclass) return names.relationOid(schema, name);
  if (type !== TYPE.regproc && type !== TYPE.regprocedure) return null;
  const [oid, ...more] = names.functionOids(schema, name);
  if (more.length > 0 && type === TYPE.regproc) {
    throw bindError('42725', `more than one function named "${text}"`, at);
  }
  return oid ?? null;
}

/** What PostgreSQL calls a thing that a name of the type does not find. */
function notFound(context: BindContext, text: string, type: number, at: number): never {
  const what = REG_WORDS.get(type);
  if (what === undefined) return invalid(context, text, type, at);
  const [code, word] = what;
  throw bindError(code, `${word} "${text}" does not exist`, at);
}

const REG_WORDS: ReadonlyMap<number, readonly [string, string]> = new Map([
  [TYPE.regclass, ['42P01', 'relation']],
  [TYPE.regtype, ['42704', 'type']],
  [TYPE.regproc, ['42883', 'function']],
  [TYPE.regprocedure, ['42883', 'function']],
  [TYPE.regrole, ['42704', 'role']],
  [TYPE.regnamespace, ['3F000', 'schema']],
]);

function integer(context: BindContext, text: string, type: number, at: number): string {
  const trimmed = text.trim();
  const limits = INTEGER_LIMITS.get(type);
  if (!/^[+-]?\d{1,40}$/.test(trimmed) || limits === undefined) return invalid(context, text, type, at);
  const value = BigInt(trimmed);
  if (value < limits[0] || value > limits[1]) {
    throw bindError(
      '22003',
      `value "${text}" is out of range for type ${typeLabel(context.system, type)}`,
      at,
    );
  }
  return `CAST(${value} AS ${duckdbType(context.system, type)})`;
}

function list(context: BindContext, text: string, type: number, at: number): string {
  const elements = isVector(type) ? text.trim().split(/\s+/).filter(Boolean) : arrayElements(text);
  const element = elementOf(context.system, type);
  if (elements === null) {
    throw bindError('22P02', `malformed array literal: "${text}"`, at);
  }
  const values = elements.map((value) => literalSql(context, value, element, at));
  return `CAST([${values.join(', ')}] AS ${duckdbType(context.system, type)})`;
}

/** @throws BindError where the text is none of the type's */
export function literalSql(context: BindContext, text: string | null, type: number, at: number): string {
  const { system } = context;
  const base = baseType(system, type)?.oid ?? type;
  const held = duckdbType(system, base);
  if (text === null) return `CAST(NULL AS ${held})`;
  if (REG_TYPES.has(base)) {
    const oid = nameToOid(context, text, base, at) ?? notFound(context, text, base, at);
    return `CAST(${oid} AS BIGINT)`;
  }
  if (INTEGER_LIMITS.has(base)) return integer(context, text, base, at);
  if (elementOf(system, base) !== 0) return list(context, text, base, at);
  switch (base) {
    case TYPE.bool:
      return BOOLEANS.get(text.trim().toLowerCase()) ?? invalid(context, text, type, at);
    case TYPE.float4:
    case TYPE.float8:
    case TYPE.numeric:
      if (!/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$|^\s*(?:nan|-?infinity)\s*$/i.test(text)) {
        return invalid(context, text, type, at);
      }
      return base === TYPE.numeric
        ? numericLiteral(text.trim())
        : `CAST(${quoteText(text.trim())} AS ${held})`;
    case TYPE.date:
    case TYPE.timestamp:
    case TYPE.timestamptz:
    case TYPE.interval:
      return `CAST(${quoteText(text)} AS ${held})`;
    case TYPE.char:
      return quoteText([...text][0] ?? '');
    default:
      return quoteText(text);
  }
}

/** Digits as they stand, where DuckDB takes them; else a double. */
export function numericLiteral(text: string): string {
  const digits = /^[+-]?(\d{0,30})(?:\.(\d{0,8}))?$/.exec(text);
  return digits === null || digits[0].length > 38
    ? `CAST(${quoteText(text)} AS DOUBLE)`
    : text.replace(/\.$/, '');
}
