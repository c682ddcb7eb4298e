/** Values of one type as values of another. */
import { TYPE } from '../system/types.ts';
import type { Bound } from './bound.ts';
import type { BindContext, SpellingTable } from './context.ts';
import { bindError } from './errors.ts';
import { literalSql } from './literal.ts';
import { castsImplicitly } from './resolve.ts';
import { textOf } from './text-of.ts';
import {
  baseType,
  duckdbType,
  elementOf,
  isInteger,
  isTextual,
  isVector,
  REG_TYPES,
  typeLabel,
} from './type-facts.ts';

const NUMBERS: ReadonlySet<number> = new Set([
  TYPE.int2,
  TYPE.int4,
  TYPE.int8,
  TYPE.oid,
  TYPE.float4,
  TYPE.float8,
  TYPE.numeric,
]);

/** Gives a parameter its type, at the first place that wants one. */
function parameterOf(context: BindContext, bound: Bound, type: number): Bound {
  const number = bound.parameter ?? 0;
  context.parameters.types[number - 1] ??= 0;
  if (context.parameters.types[number - 1] === 0) context.parameters.types[number - 1] = type;
  const value = context.parameters.values?.[number - 1] ?? null;
  const given = context.parameters.types[number - 1] ?? type;
  const typed = { sql: literalSql(context, value, given, -1), type: given, modifier: -1, at: bound.at };
  return given === type ? typed : coerce(context, typed, type, 'explicit');
}

/** What names an object by its OID, from text that is not known yet. */
const NAME_LOOKUPS: ReadonlyMap<number, SpellingTable> = new Map([
  [TYPE.regclass, 'relation_spellings'],
  [TYPE.regtype, 'type_spellings'],
  [TYPE.regnamespace, 'schema_spellings'],
  [TYPE.regrole, 'role_spellings'],
  [TYPE.regproc, 'function_spellings'],
]);

/** OID by a name that a row has. */
function lookUpName(context: BindContext, sql: string, type: number, at: number): string {
  const table = NAME_LOOKUPS.get(type);
  if (table === undefined)
    throw bindError('0A000', `text as ${typeLabel(context.system, type)} is not supported`, at);
  const alias = context.budget.nextAlias('n');
  return `(SELECT min(${alias}.oid) FROM ${context.names.lookup[table]} ${alias} WHERE ${alias}.spelling = CAST(${sql} AS VARCHAR))`;
}

function castSql(context: BindContext, bound: Bound, to: number): string {
  const { system } = context;
  const { sql } = bound;
  const source = baseType(system, bound.type)?.oid ?? bound.type;
  const target = baseType(system, to)?.oid ?? to;
  const held = duckdbType(system, target);
  if (source === target) return sql;
  if (isTextual(system, target)) {
    const text = source === TYPE.bool ? `CAST(${sql} AS VARCHAR)` : textOf(context, bound);
    return target === TYPE.char ? `${text}[1]` : text;
  }
  if (isTextual(system, source)) {
    if (REG_TYPES.has(target)) return lookUpName(context, sql, target, bound.at);
    if (elementOf(system, target) !== 0) {
      return `CAST(string_split(trim(${sql}, '{}'), ',') AS ${held})`;
    }
    if (target === TYPE.numeric) return `CAST(${sql} AS DOUBLE)`;
    return `CAST(${sql} AS ${held})`;
  }
  if (target === TYPE.numeric) return isInteger(source) ? `CAST(${sql} AS HUGEINT)` : sql;
  if (isInteger(source) && isInteger(target)) {
    return duckdbType(system, source) === held ? sql : `CAST(${sql} AS ${held})`;
  }
  return `CAST(${sql} AS ${held})`;
}

const cannotCast = (context: BindContext, bound: Bound, to: number): never => {
  const { system } = context;
  throw bindError(
    '42846',
    `cannot cast type ${typeLabel(system, bound.type)} to ${typeLabel(system, to)}`,
    bound.at,
  );
};

/** True where SQL's CAST, or PostgreSQL on its own, makes one of the other. */
function canCast(context: BindContext, from: number, to: number): boolean {
  const { system } = context;
  const [source, target] = [baseType(system, from)?.oid ?? from, baseType(system, to)?.oid ?? to];
  if (source === target || isTextual(system, target) || isTextual(system, source)) return true;
  if (system.casts.has(`${source}:${target}`)) return true;
  if (NUMBERS.has(source) && NUMBERS.has(target)) return true;
  if (isVector(source) || elementOf(system, source) !== 0) return elementOf(system, target) !== 0;
  return REG_TYPES.has(source) && isInteger(target) && target !== TYPE.int2;
}

/**
 * The value with the type wanted.
 *
 * @throws BindError 42846 where there is no such cast, 42804 where it has to be written
 */
export function coerce(
  context: BindContext,
  bound: Bound,
  to: number,
  how: 'implicit' | 'explicit',
  modifier = -1,
): Bound {
  if (bound.type === TYPE.unknown) {
    if (bound.parameter !== undefined) return { ...parameterOf(context, bound, to), modifier };
    if (bound.literal !== undefined) {
      const { literal } = bound;
      // Functions look at the text of what is written out: patterns, names of privileges and settings.
      const kept = isTextual(context.system, to) ? { literal } : {};
      return {
        ...withModifier(
          { sql: literalSql(context, literal, to, bound.at), type: to, modifier, at: bound.at },
          to,
          modifier,
        ),
        modifier,
        ...kept,
      };
    }
  }
  if (bound.type === to) return modifier === -1 ? bound : { ...withModifier(bound, to, modifier), modifier };
  if (how === 'implicit' && !castsImplicitly(context.system, bound.type, to)) {
    const { system } = context;
    throw bindError(
      '42804',
      `expression is of type ${typeLabel(system, bound.type)}, and ${typeLabel(system, to)} is wanted`,
      bound.at,
      'Cast the expression.',
    );
  }
  if (!canCast(context, bound.type === TYPE.unknown ? TYPE.text : bound.type, to))
    return cannotCast(context, bound, to);
  const { fields: _, literal, ...rest } = bound;
  const kept = literal !== undefined && isTextual(context.system, to) ? { literal } : {};
  return {
    ...withModifier({ ...rest, ...kept, sql: castSql(context, bound, to), type: to }, to, modifier),
    modifier,
  };
}

/** Cut to a length, where the type has one. */
function withModifier(bound: Bound, type: number, modifier: number): Bound {
  if (modifier < 4 || (type !== TYPE.varchar && type !== TYPE.bpchar)) return bound;
  return { ...bound, sql: `left(${bound.sql}, ${modifier - 4})` };
}

/** A value that nothing gave a type is text. */
export function orText(context: BindContext, bound: Bound): Bound {
  return bound.type === TYPE.unknown ? coerce(context, bound, TYPE.text, 'implicit') : bound;
}
