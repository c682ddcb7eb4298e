/** A tenant's tables as PostgreSQL would have them: schemas, columns with types, indexes, comments. */
import type {
  IndexKey,
  KnownTable,
  TableAttribute,
  TableDetails,
  TableIndex,
} from '../../../clients/catalog-tables.ts';
import type { CatalogTables } from '../catalog.ts';
import { CATALOG_COLUMNS_MAX } from '../limits.ts';
import { wireType } from './column-type.ts';
import { createObjectIds } from './object-ids.ts';

export interface TenantColumn {
  readonly name: string;
  /** OID. */
  readonly type: number;
  readonly notNull: boolean;
  /** Why it has its type. */
  readonly comment: string;
}

export interface TenantIndex {
  readonly oid: number;
  readonly name: string;
  readonly isPrimary: boolean;
  /** Places of its columns in the table, from 1. */
  readonly key: readonly number[];
  /** Of the constraint that a primary key is. */
  readonly constraintOid: number;
  readonly itemCount: number;
  readonly sizeBytes: number;
}

export interface TenantTable {
  readonly oid: number;
  readonly name: string;
  readonly schema: string;
  readonly schemaOid: number;
  readonly rowTypeOid: number;
  readonly arrayTypeOid: number;
  readonly columns: readonly TenantColumn[];
  readonly indexes: readonly TenantIndex[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly comment: string;
}

export interface TenantSchema {
  readonly oid: number;
  readonly name: string;
}

export interface TenantObjects {
  readonly schemas: readonly TenantSchema[];
  readonly tables: readonly TenantTable[];
}

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const indexKeyNames = ({ partitionKeys, sortKeys }: IndexKey): readonly string[] =>
  [...partitionKeys, ...sortKeys].map(({ name }) => name);

const seen = ({ types }: TableAttribute): string =>
  [...types].map(([type, count]) => `${type} in ${count}`).join(', ');

function comment(attribute: TableAttribute | undefined, keyOf: string | null, sampledItems: number): string {
  if (keyOf !== null) return keyOf;
  if (attribute === undefined || attribute.types.size === 0) return 'No sampled item has a value here.';
  const several =
    wireType(attribute.types.keys()) === 25 &&
    [...attribute.types.keys()].some((type) => type !== 'S' && type !== 'NULL');
  const why = several ? ' Values of several types are shown as text.' : '';
  return `DynamoDB types in ${sampledItems} sampled items: ${seen(attribute)}.${why}`;
}

/** Keys first, then all others by name: the order of `SELECT *`. */
function columnsOf({ key, indexes, attributes, sampledItems }: TableDetails): readonly TenantColumn[] {
  const own = [key.partitionKey, ...(key.sortKey === undefined ? [] : [key.sortKey])];
  const ofIndexes = new Map(
    indexes.flatMap(({ partitionKeys, sortKeys, name }) =>
      [...partitionKeys, ...sortKeys].map((column) => [column.name, { ...column, index: name }] as const),
    ),
  );
  const known = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const ownNames = own.map(({ name }) => name);
  const others = [...new Set([...known.keys(), ...ofIndexes.keys()])]
    .filter((name) => !ownNames.includes(name))
    .sort(byUtf8);
  const keyColumns = own.map(({ name, type }, i): TenantColumn => ({
    name,
    type: wireType([type]),
    notNull: true,
    comment: `${i === 0 ? 'Partition' : 'Sort'} key, of DynamoDB type ${type}.`,
  }));
  const rest = others.map((name): TenantColumn => {
    const attribute = known.get(name);
    const ofIndex = ofIndexes.get(name);
    const types =
      attribute === undefined || attribute.types.size === 0
        ? ofIndex === undefined
          ? []
          : [ofIndex.type]
        : [...attribute.types.keys()];
    const why =
      ofIndex === undefined || (attribute?.types.size ?? 0) > 0
        ? null
        : `Key of index ${ofIndex.index}, of DynamoDB type ${ofIndex.type}.`;
    return { name, type: wireType(types), notNull: false, comment: comment(attribute, why, sampledItems) };
  });
  return [...keyColumns, ...rest];
}

/** As PostgreSQL does where a name is taken. */
function freeName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let i = 1; taken.has(name); i++) name = `${wanted}${i}`;
  taken.add(name);
  return name;
}

/** Relations of a schema share their names. An index that has its own alone keeps it. */
function indexNames(tables: readonly KnownTable[]): (table: KnownTable, index: TableIndex | null) => string {
  const taken = new Set(tables.map(({ tableName }) => tableName));
  const counts = new Map<string, number>();
  for (const { details } of tables)
    for (const { name } of details?.indexes ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (table, index) => {
    if (index === null) return freeName(taken, `${table.tableName}_pkey`);
    const isOnly = counts.get(index.name) === 1 && !taken.has(index.name);
    return freeName(taken, isOnly ? index.name : `${table.tableName}_${index.name}`);
  };
}

const tableComment = ({ sampledItems, describedAt }: TableDetails): string =>
  `DynamoDB table, described at ${describedAt}; columns are what ${sampledItems} sampled items hold.`;

/** Tables that have not been described show their names alone, and so do those beyond the limit on columns. */
export function tenantObjects({ schemas, tables }: CatalogTables): TenantObjects {
  const ids = createObjectIds();
  const names = [...new Set(schemas)].sort(byUtf8);
  const oids = new Map(names.map((name) => [name, ids.of('schema', name)]));
  let columnsLeft = CATALOG_COLUMNS_MAX;
  const made = names.flatMap((schema) => {
    const own = tables
      .filter(({ schemaName }) => schemaName === schema)
      .toSorted((a, b) => byUtf8(a.tableName, b.tableName));
    const nameOf = indexNames(own);
    return own.map((table): TenantTable => {
      const { tableName, details } = table;
      const all = details === null ? [] : columnsOf(details);
      const columns = all.length > columnsLeft ? [] : all;
      columnsLeft -= columns.length;
      const place = (name: string): number => columns.findIndex((column) => column.name === name) + 1;
      const index = (one: TableIndex | null, key: readonly string[]): TenantIndex => ({
        oid: ids.of('index', schema, tableName, one?.name ?? ''),
        name: nameOf(table, one),
        isPrimary: one === null,
        key: key.map(place),
        constraintOid: one === null ? ids.of('constraint', schema, tableName) : 0,
        itemCount: one?.itemCount ?? details?.itemCount ?? 0,
        sizeBytes: one?.sizeBytes ?? 0,
      });
      const indexes =
        details === null || columns.length === 0
          ? []
          : [
              index(null, [
                details.key.partitionKey.name,
                ...(details.key.sortKey === undefined ? [] : [details.key.sortKey.name]),
              ]),
              ...details.indexes.map((one) => index(one, indexKeyNames(one))),
            ];
      return {
        oid: ids.of('table', schema, tableName),
        name: tableName,
        schema,
        schemaOid: oids.get(schema) ?? 0,
        rowTypeOid: ids.of('type', schema, tableName),
        arrayTypeOid: ids.of('type', schema, tableName, 'array'),
        columns,
        indexes,
        itemCount: details?.itemCount ?? 0,
        sizeBytes: details?.sizeBytes ?? 0,
        comment:
          details === null
            ? 'DynamoDB table that no statement has named yet: its columns are not known.'
            : tableComment(details),
      };
    });
  });
  return { schemas: names.map((name) => ({ name, oid: oids.get(name) ?? 0 })), tables: made };
}
