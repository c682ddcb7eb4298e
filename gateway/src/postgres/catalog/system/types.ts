/** PostgreSQL's types, casts, operators and functions, as its catalog has them. */
import { rowsOf, type SystemCatalog } from './read-system.ts';

/** OIDs that the binder names. */
export const TYPE = Object.freeze({
  bool: 16,
  bytea: 17,
  char: 18,
  name: 19,
  int8: 20,
  int2: 21,
  int2vector: 22,
  int4: 23,
  regproc: 24,
  text: 25,
  oid: 26,
  tid: 27,
  xid: 28,
  cid: 29,
  oidvector: 30,
  json: 114,
  float4: 700,
  float8: 701,
  unknown: 705,
  aclitemArray: 1034,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  numeric: 1700,
  regprocedure: 2202,
  regoper: 2203,
  regoperator: 2204,
  regclass: 2205,
  regtype: 2206,
  record: 2249,
  anyarray: 2277,
  void: 2278,
  anyelement: 2283,
  recordArray: 2287,
  regconfig: 3734,
  regdictionary: 3769,
  jsonb: 3802,
  regnamespace: 4089,
  regrole: 4096,
  regcollation: 4191,
  textArray: 1009,
  nameArray: 1003,
  int4Array: 1007,
  oidArray: 1028,
});

export interface PgType {
  readonly oid: number;
  readonly name: string;
  readonly schema: string;
  /** See pg_type.typcategory. */
  readonly category: string;
  readonly preferred: boolean;
  /** b base, c composite, d domain, p pseudo, … */
  readonly kind: string;
  /** OID of what an array or a vector holds; 0: it holds nothing. */
  readonly element: number;
  /** OID of its array type, 0: none. */
  readonly array: number;
  /** OID of what a domain is made of. */
  readonly base: number;
  readonly modifier: number;
}

export interface PgFunction {
  readonly oid: number;
  readonly name: string;
  readonly schema: string;
  readonly kind: string;
  readonly returnsSet: boolean;
  readonly result: number;
  readonly arguments: readonly number[];
  readonly defaults: number;
  /** OID of what the last argument holds; 0: it takes no variable number of arguments. */
  readonly variadic: number;
  /** What it gives beside arguments; null where its result says all. */
  readonly outputs: readonly { readonly name: string; readonly type: number }[] | null;
}

export interface PgOperator {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly result: number;
}

export interface TypeSystem {
  readonly types: ReadonlyMap<number, PgType>;
  readonly typesByName: ReadonlyMap<string, readonly PgType[]>;
  readonly functions: ReadonlyMap<string, readonly PgFunction[]>;
  readonly operators: ReadonlyMap<string, readonly PgOperator[]>;
  /** `source:target`: who may use it (i implicit, a assignment, e explicit) and whether it changes anything (b: no). */
  readonly casts: ReadonlyMap<string, { readonly context: string; readonly method: string }>;
}

const list = (text: string | null): readonly string[] =>
  text === null || text === '' || text === '{}' ? [] : text.replace(/^\{|\}$/g, '').split(/[ ,]/);

function grouped<T extends { readonly name: string }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(items, ({ name }) => name);
}

function readFunctions(system: SystemCatalog, schemas: ReadonlyMap<string, string>): PgFunction[] {
  const columns = ['oid', 'proname', 'pronamespace', 'prokind', 'proretset', 'prorettype', 'proargtypes', 'pronargdefaults', 'provariadic', 'proallargtypes', 'proargmodes', 'proargnames']; // prettier-ignore
  return rowsOf(system, 'pg_proc', columns).map((row) => {
    const [oid, name, namespace, kind, returnsSet, result, args, defaults, variadic, all, modes, names] = row;
    const allTypes = list(all ?? null).map(Number);
    const argNames = list(names ?? null);
    const outputs = list(modes ?? null).flatMap((mode, i) =>
      mode === 'o' || mode === 't' || mode === 'b'
        ? [{ name: (argNames[i] ?? '').replaceAll('"', '') || `column${i + 1}`, type: allTypes[i] ?? 0 }]
        : [],
    );
    return {
      oid: Number(oid),
      name: name ?? '',
      schema: schemas.get(namespace ?? '') ?? '',
      kind: kind ?? 'f',
      returnsSet: returnsSet === 'true',
      result: Number(result),
      arguments: list(args ?? null).map(Number),
      defaults: Number(defaults),
      variadic: Number(variadic),
      outputs: outputs.length > 0 ? outputs : null,
    };
  });
}

export function readTypeSystem(system: SystemCatalog): TypeSystem {
  const schemas = new Map(
    rowsOf(system, 'pg_namespace', ['oid', 'nspname']).map(([oid, name]) => [oid ?? '', name ?? '']),
  );
  const typeColumns = ['oid', 'typname', 'typnamespace', 'typcategory', 'typispreferred', 'typtype', 'typelem', 'typarray', 'typbasetype', 'typtypmod']; // prettier-ignore
  const types = rowsOf(system, 'pg_type', typeColumns).map((row): PgType => {
    const [oid, name, namespace, category, preferred, kind, element, array, base, modifier] = row;
    return {
      oid: Number(oid),
      name: name ?? '',
      schema: schemas.get(namespace ?? '') ?? '',
      category: category ?? 'X',
      preferred: preferred === 'true',
      kind: kind ?? 'b',
      element: Number(element),
      array: Number(array),
      base: Number(base),
      modifier: Number(modifier),
    };
  });
  const operators = rowsOf(system, 'pg_operator', ['oprname', 'oprleft', 'oprright', 'oprresult']).map(
    ([name, left, right, result]) => ({
      name: name ?? '',
      left: Number(left),
      right: Number(right),
      result: Number(result),
    }),
  );
  const casts = rowsOf(system, 'pg_cast', ['castsource', 'casttarget', 'castcontext', 'castmethod']).map(
    ([source, target, context, method]) =>
      [`${source}:${target}`, { context: context ?? 'e', method: method ?? 'f' }] as const,
  );
  return Object.freeze({
    types: new Map(types.map((type) => [type.oid, type])),
    typesByName: grouped(types),
    functions: grouped(readFunctions(system, schemas)),
    operators: grouped(operators),
    casts: new Map(casts),
  });
}
