/** Rows that a tenant's tables have in PostgreSQL's catalogs: each row by its columns, what is left out is NULL. */
import { rowsOf, type SystemCatalog } from '../system/read-system.ts';
import { TYPE, type TypeSystem } from '../system/types.ts';
import type { Cell } from '../execution/load-rows.ts';
import { quoteIdent } from './quote-ident.ts';
import { OWNER, OWNER_OID } from './roles.ts';
import type { TenantIndex, TenantObjects, TenantTable } from './tenant-tables.ts';

type Row = Readonly<Record<string, Cell>>;

/** By relation of pg_catalog. */
export type TenantRows = Readonly<Record<TenantRelation, readonly Row[]>>;

export const TENANT_RELATIONS = [
  'pg_namespace',
  'pg_class',
  'pg_attribute',
  'pg_type',
  'pg_index',
  'pg_constraint',
  'pg_description',
] as const;

export type TenantRelation = (typeof TENANT_RELATIONS)[number];

const HEAP = 2;
const BTREE = 403;
const DEFAULT_COLLATION = 100;
const CLASS_OF_CLASSES = 1259;
const PAGE_BYTES = 8192;

/** Everybody may read, and refer to keys: else information_schema would not show them. */
const READABLE: Cell = [`${OWNER}=arwdDxt/${OWNER}`, `=rx/${OWNER}`];
export const EVERYBODY = 'rx';

const CLASS: Row = Object.freeze({
  reloftype: 0, relowner: OWNER_OID, reltablespace: 0, relallvisible: 0, reltoastrelid: 0, relisshared: false, relpersistence: 'p', relchecks: 0, relhasrules: false, relhastriggers: false, relhassubclass: false, relrowsecurity: false, relforcerowsecurity: false, relispopulated: true, relispartition: false, relrewrite: 0, relfrozenxid: 0, relminmxid: 0, relfilenode: 0,
}); // prettier-ignore

const ATTRIBUTE: Row = Object.freeze({
  attstattarget: -1, attndims: 0, attcacheoff: -1, atttypmod: -1, attcompression: '', atthasdef: false, atthasmissing: false, attidentity: '', attgenerated: '', attisdropped: false, attislocal: true, attinhcount: 0,
}); // prettier-ignore

const TYPE_ROW: Row = Object.freeze({
  typowner: OWNER_OID, typlen: -1, typbyval: false, typispreferred: false, typisdefined: true, typdelim: ',', typmodin: 0, typmodout: 0, typalign: 'd', typstorage: 'x', typnotnull: false, typbasetype: 0, typtypmod: -1, typndims: 0, typcollation: 0,
}); // prettier-ignore

/** What pg_attribute repeats of a type. */
type Physical = ReadonlyMap<number, Row>;

export interface PhysicalFacts {
  readonly ofTypes: Physical;
  /** Operator classes of btree by type. */
  readonly classes: ReadonlyMap<number, number>;
  /** OIDs of functions by name. */
  readonly functions: ReadonlyMap<string, number>;
}

export function physicalFacts(catalog: SystemCatalog, types: TypeSystem): PhysicalFacts {
  const ofTypes = rowsOf(catalog, 'pg_type', [
    'oid',
    'typlen',
    'typbyval',
    'typalign',
    'typstorage',
    'typcollation',
  ]).map(
    ([oid, attlen = null, attbyval = null, attalign = null, attstorage = null, attcollation = null]) =>
      [Number(oid), { attlen, attbyval, attalign, attstorage, attcollation }] as const,
  );
  const classes = rowsOf(catalog, 'pg_opclass', ['opcintype', 'oid', 'opcmethod', 'opcdefault']).flatMap(
    ([type, oid, method, isDefault]) =>
      Number(method) === BTREE && isDefault === 'true' ? [[Number(type), Number(oid)] as const] : [],
  );
  const functions = [
    'record_in',
    'record_out',
    'record_recv',
    'record_send',
    'array_in',
    'array_out',
    'array_recv',
    'array_send',
    'array_typanalyze',
    'array_subscript_handler',
  ].map((name) => [name, types.functions.get(name)?.[0]?.oid ?? 0] as const);
  return { ofTypes: new Map(ofTypes), classes: new Map(classes), functions: new Map(functions) };
}

function classRows(table: TenantTable): readonly Row[] {
  const { oid, name, schemaOid, rowTypeOid, columns, indexes } = table;
  const pages = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES);
  const row = {
    ...CLASS,
    oid,
    relname: name,
    relnamespace: schemaOid,
    reltype: rowTypeOid,
    relam: HEAP,
    relpages: pages(table.sizeBytes),
    reltuples: table.itemCount,
    relhasindex: indexes.length > 0,
    relkind: 'r',
    relnatts: columns.length,
    relreplident: 'd',
    relacl: READABLE,
  };
  const ofIndexes = indexes.map((index) => ({
    ...CLASS, oid: index.oid, relname: index.name, relnamespace: schemaOid, reltype: 0, relam: BTREE, relpages: pages(index.sizeBytes), reltuples: index.itemCount, relhasindex: false, relkind: 'i', relnatts: index.key.length, relreplident: 'n',
  })); // prettier-ignore
  return [row, ...ofIndexes];
}

function attributeRows({ ofTypes }: PhysicalFacts, table: TenantTable): readonly Row[] {
  const row = (attrelid: number, attnum: number, place: number, isKey: boolean): Row => {
    const column = table.columns[place - 1];
    const type = column?.type ?? TYPE.text;
    return {
      ...ATTRIBUTE,
      ...ofTypes.get(type),
      attrelid,
      attname: column?.name ?? '',
      atttypid: type,
      attnum,
      attnotnull: isKey ? false : (column?.notNull ?? false),
    };
  };
  const own = table.columns.map((_, i) => row(table.oid, i + 1, i + 1, false));
  const ofIndexes = table.indexes.flatMap(({ oid, key }) =>
    key.map((place, i) => row(oid, i + 1, place, true)),
  );
  return [...own, ...ofIndexes];
}

function typeRows(
  { functions }: PhysicalFacts,
  { name, schemaOid, oid, rowTypeOid, arrayTypeOid }: TenantTable,
): readonly Row[] {
  const of = (kind: string): Row => ({
    typinput: functions.get(`${kind}_in`) ?? 0,
    typoutput: functions.get(`${kind}_out`) ?? 0,
    typreceive: functions.get(`${kind}_recv`) ?? 0,
    typsend: functions.get(`${kind}_send`) ?? 0,
  });
  return [
    { ...TYPE_ROW, ...of('record'), oid: rowTypeOid, typname: name, typnamespace: schemaOid, typtype: 'c', typcategory: 'C', typrelid: oid, typsubscript: 0, typelem: 0, typarray: arrayTypeOid, typanalyze: 0 },
    { ...TYPE_ROW, ...of('array'), oid: arrayTypeOid, typname: `_${name}`, typnamespace: schemaOid, typtype: 'b', typcategory: 'A', typrelid: 0, typsubscript: functions.get('array_subscript_handler') ?? 0, typelem: rowTypeOid, typarray: 0, typanalyze: functions.get('array_typanalyze') ?? 0 },
  ]; // prettier-ignore
}

function indexRow({ classes }: PhysicalFacts, table: TenantTable, index: TenantIndex): Row {
  const types = index.key.map((place) => table.columns[place - 1]?.type ?? TYPE.text);
  return {
    indexrelid: index.oid, indrelid: table.oid, indnatts: index.key.length, indnkeyatts: index.key.length, indisunique: index.isPrimary, indnullsnotdistinct: false, indisprimary: index.isPrimary, indisexclusion: false, indimmediate: true, indisclustered: false, indisvalid: true, indcheckxmin: false, indisready: true, indislive: true, indisreplident: false,
    indkey: index.key,
    indcollation: types.map((type) => (type === TYPE.text ? DEFAULT_COLLATION : 0)),
    indclass: types.map((type) => classes.get(type) ?? 0),
    indoption: index.key.map(() => 0),
  }; // prettier-ignore
}

const constraintRow = (table: TenantTable, { oid, name, key, constraintOid }: TenantIndex): Row => ({
  oid: constraintOid, conname: name, connamespace: table.schemaOid, contype: 'p', condeferrable: false, condeferred: false, convalidated: true, conrelid: table.oid, contypid: 0, conindid: oid, conparentid: 0, confrelid: 0, confupdtype: ' ', confdeltype: ' ', confmatchtype: ' ', conislocal: true, coninhcount: 0, connoinherit: true, conkey: key,
}); // prettier-ignore

function descriptionRows({ oid, comment, columns }: TenantTable): readonly Row[] {
  const row = (objsubid: number, description: string): Row => ({
    objoid: oid,
    classoid: CLASS_OF_CLASSES,
    objsubid,
    description,
  });
  return [row(0, comment), ...columns.map((column, i) => row(i + 1, column.comment))];
}

export function tenantRows(facts: PhysicalFacts, { schemas, tables }: TenantObjects): TenantRows {
  return {
    pg_namespace: schemas.map(({ oid, name }) => ({
      oid,
      nspname: name,
      nspowner: OWNER_OID,
      nspacl: [`${OWNER}=UC/${OWNER}`, `=U/${OWNER}`],
    })),
    pg_class: tables.flatMap(classRows),
    pg_attribute: tables.flatMap((table) => attributeRows(facts, table)),
    pg_type: tables.flatMap((table) => typeRows(facts, table)),
    pg_index: tables.flatMap((table) => table.indexes.map((index) => indexRow(facts, table, index))),
    pg_constraint: tables.flatMap((table) =>
      table.indexes.filter(({ isPrimary }) => isPrimary).map((index) => constraintRow(table, index)),
    ),
    pg_description: tables.flatMap(descriptionRows),
  };
}

const columnList = (table: TenantTable, { key }: TenantIndex): readonly string[] =>
  key.map((place) => quoteIdent(table.columns[place - 1]?.name ?? ''));

/** What functions say of indexes and constraints: see the tables' columns in execution/lookups.ts. */
export function tenantDefinitions({ tables }: TenantObjects): {
  readonly indexes: readonly (readonly Cell[])[];
  readonly constraints: readonly (readonly Cell[])[];
} {
  const indexes = tables.flatMap((table) =>
    table.indexes.map((index): readonly Cell[] => {
      const columns = columnList(table, index);
      const head = `CREATE ${index.isPrimary ? 'UNIQUE ' : ''}INDEX ${quoteIdent(index.name)} ON `;
      const tail = ` USING btree (${columns.join(', ')})`;
      const definition = `${head}${quoteIdent(table.schema)}.${quoteIdent(table.name)}${tail}`;
      return [index.oid, definition, head, table.oid, tail, columns];
    }),
  );
  const constraints = tables.flatMap((table) =>
    table.indexes.flatMap((index): readonly (readonly Cell[])[] =>
      index.isPrimary ? [[index.constraintOid, `PRIMARY KEY (${columnList(table, index).join(', ')})`]] : [],
    ),
  );
  return { indexes, constraints };
}
