/** Questions about types. */
import { TYPE, type PgType, type TypeSystem } from '../system/types.ts';
import { quoteName } from './bound.ts';

/** OIDs under another name. */
export const REG_TYPES: ReadonlySet<number> = new Set([
  TYPE.regproc,
  TYPE.regprocedure,
  TYPE.regoper,
  TYPE.regoperator,
  TYPE.regclass,
  TYPE.regtype,
  TYPE.regrole,
  TYPE.regnamespace,
  TYPE.regconfig,
  TYPE.regdictionary,
  TYPE.regcollation,
]);

const INTEGERS: ReadonlyMap<number, string> = new Map([
  [TYPE.int2, 'SMALLINT'],
  [TYPE.int4, 'INTEGER'],
  [TYPE.int8, 'BIGINT'],
  [TYPE.oid, 'BIGINT'],
  [TYPE.xid, 'BIGINT'],
  [TYPE.cid, 'BIGINT'],
]);

const OTHERS: ReadonlyMap<number, string> = new Map([
  [TYPE.bool, 'BOOLEAN'],
  [TYPE.float4, 'FLOAT'],
  [TYPE.float8, 'DOUBLE'],
  [TYPE.numeric, 'DECIMAL(38, 10)'],
  [TYPE.date, 'DATE'],
  [TYPE.timestamp, 'TIMESTAMP'],
  [TYPE.timestamptz, 'TIMESTAMP'],
  [TYPE.interval, 'INTERVAL'],
]);

export const isInteger = (type: number): boolean => INTEGERS.has(type) || REG_TYPES.has(type);

/** What is text in DuckDB: all that is neither number, time, list nor composite. */
export function isTextual(system: TypeSystem, type: number): boolean {
  return duckdbType(system, type) === 'VARCHAR';
}

/** A domain's base, a type itself otherwise. */
export function baseType(system: TypeSystem, type: number): PgType | undefined {
  const found = system.types.get(type);
  return found?.kind === 'd' ? baseType(system, found.base) : found;
}

/** OID of what an array or a vector holds, 0 where it is neither. */
export function elementOf(system: TypeSystem, type: number): number {
  const base = baseType(system, type);
  if (base === undefined || base.element === 0) return 0;
  return base.category === 'A' ? base.element : 0;
}

export const isVector = (type: number): boolean => type === TYPE.int2vector || type === TYPE.oidvector;

export function arrayOf(system: TypeSystem, type: number): number {
  return type === TYPE.record ? TYPE.recordArray : (system.types.get(type)?.array ?? 0);
}

/** How DuckDB holds values of a type. Composite ones have no name of their own: see `fields`. */
export function duckdbType(system: TypeSystem, type: number): string {
  const base = baseType(system, type)?.oid ?? type;
  if (REG_TYPES.has(base)) return 'BIGINT';
  const known = INTEGERS.get(base) ?? OTHERS.get(base);
  if (known !== undefined) return known;
  const element = elementOf(system, base);
  return element === 0 ? 'VARCHAR' : `${duckdbType(system, element)}[]`;
}

/** The type as PostgreSQL's messages call it. */
export function typeLabel(system: TypeSystem, type: number): string {
  const found = system.types.get(type);
  if (found === undefined) return String(type);
  const element = found.category === 'A' && !isVector(type) ? found.element : 0;
  if (element !== 0) return `${typeLabel(system, element)}[]`;
  const plain = SQL_NAMES.get(found.name) ?? found.name;
  return found.schema === 'pg_catalog' ? plain : `${found.schema}.${plain}`;
}

/** Types that SQL calls otherwise than pg_type does. */
export const SQL_NAMES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['bpchar', 'character'],
  ['char', quoteName('char')],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['bit', 'bit'],
  ['varbit', 'bit varying'],
  ['time', 'time without time zone'],
  ['timetz', 'time with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
  ['varchar', 'character varying'],
]);
