/** Types of PostgreSQL by their numbers, as far as values of theirs cross. */

export const OID = Object.freeze({
  bool: 16, bytea: 17, char: 18, name: 19, int8: 20, int2: 21, int4: 23, text: 25, oid: 26, tid: 27, json: 114,
  float4: 700, float8: 701, unknown: 705, bpchar: 1042, varchar: 1043, date: 1082, time: 1083,
  timestamp: 1114, timestamptz: 1184, interval: 1186, numeric: 1700, uuid: 2950, jsonb: 3802,
} as const); // oxfmt-ignore

export type TypeName = keyof typeof OID;

/** Arrays: by their numbers, what their elements are. */
export const ARRAYS: ReadonlyMap<number, TypeName> = new Map([
  [1000, 'bool'], [1001, 'bytea'], [1002, 'char'], [1003, 'name'], [1016, 'int8'], [1005, 'int2'], [1007, 'int4'],
  [1009, 'text'], [1028, 'oid'], [1010, 'tid'], [199, 'json'], [1021, 'float4'], [1022, 'float8'], [1014, 'bpchar'], [1015, 'varchar'],
  [1182, 'date'], [1183, 'time'], [1115, 'timestamp'], [1185, 'timestamptz'], [1187, 'interval'], [1231, 'numeric'],
  [2951, 'uuid'], [3807, 'jsonb'],
]); // oxfmt-ignore

const BY_OID: ReadonlyMap<number, TypeName> = new Map(
  (Object.entries(OID) as [TypeName, number][]).map(([name, oid]) => [oid, name]),
);

/** A type's name; undefined for types that never cross. */
export const typeNamed = (oid: number): TypeName | undefined => BY_OID.get(oid);

const ARRAY_OIDS: ReadonlyMap<TypeName, number> = new Map([...ARRAYS].map(([oid, name]) => [name, oid]));

/** The number of an array of such elements. */
export const arrayOidOf = (name: TypeName): number => ARRAY_OIDS.get(name) ?? 1009;

const SIZES: Partial<Record<TypeName, number>> = Object.freeze({
  bool: 1, char: 1, int2: 2, int4: 4, int8: 8, oid: 4, tid: 6, float4: 4, float8: 8, date: 4, time: 8, timestamp: 8,
  timestamptz: 8, interval: 16, uuid: 16, name: 64, unknown: -2,
}); // oxfmt-ignore

/** Bytes of a value in PostgreSQL; -1 where they vary. */
export function typeSize(oid: number): number {
  const name = typeNamed(oid);
  return (name === undefined ? undefined : SIZES[name]) ?? -1;
}
